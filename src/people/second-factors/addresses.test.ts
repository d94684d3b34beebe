import { expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { ceremonyIn, SoftwareAuthenticator } from './authenticator.fixture.ts'
import { codeOf } from './one-time-code.fixture.ts'

const PASSWORD = 'correct horse battery'
const SECURITY = '/user/settings/security'
const now = 1_800_000_000
const clock = { seconds: () => now, millis: () => now * 1000 }

test('behind a proxy keys are for the host of ROOT_URL, whatever host the proxy asks for, and forms lead below its path', async () => {
  await using forge = testForge({ server: { ROOT_URL: 'https://forge.example.org/git/' } }, { clock })
  const browser = new TestBrowser(forge, await forge.person('ada', { password: PASSWORD }))
  const page = await browser.get(SECURITY)
  const { options, address } = ceremonyIn(page.text)
  expect([options.rp?.id, address]).toEqual(['forge.example.org', `/git${SECURITY}/webauthn/register`])
  expect(page.text).toContain('src="/git/assets/second-factors/keys-')
  const add = async (key: SoftwareAuthenticator, name: string) => {
    const { options, challenge } = ceremonyIn((await browser.get(SECURITY)).text)
    return (await browser.post(`${SECURITY}/webauthn/register`, { name, challenge, credential: key.create(options) })).status
  }
  for (const origin of ['http://localhost', 'http://forge.example.org', 'https://forge.example.org:8443', 'https://git.forge.example.org']) {
    expect(await add(new SoftwareAuthenticator(origin), origin)).toBe(422)
  }
  expect(await add(new SoftwareAuthenticator('https://forge.example.org'), 'mine')).toBe(200)
})

/** A browser at an address, which a trusted proxy tells. */
class DistantBrowser extends TestBrowser {
  readonly #address: string

  constructor(forge: TestForge, address: string) {
    super(forge)
    this.#address = address
  }

  override post(path: string, fields: Record<string, string> = {}) {
    return super.post(path, fields, undefined, { 'X-Forwarded-For': this.#address })
  }

  async typePassword({ name }: Person): Promise<void> {
    const { headers } = await this.post('/user/login', { user_name: name, password: PASSWORD })
    expect(headers.get('location')).toBe('/user/two_factor')
  }
}

test('who knows the password and tries codes from many addresses is stopped, and does not lock the owner out', async () => {
  const security = { SIGN_IN_FAILURES: 2, REVERSE_PROXY_TRUSTED_PROXIES: ['loopback'] }
  let at = now
  await using forge = testForge({ security }, { clock: { seconds: () => at, millis: () => at * 1000 } })
  const ada = await forge.person('ada', { password: PASSWORD })
  const settings = new TestBrowser(forge, ada)
  const { text } = await settings.get(`${SECURITY}/two_factor/enroll`)
  const secret = /<dd><code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? ''
  const offer = /name="offer" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const done = await settings.post(`${SECURITY}/two_factor/enroll`, { offer, passcode: codeOf(secret, at) })
  const [recovery = ''] = done.text.match(/\b[a-z2-9]{4}(?:-[a-z2-9]{4}){3}\b/) ?? []
  const signIn = async (address: string, path: string, fields: () => Record<string, string>) => {
    const browser = new DistantBrowser(forge, address)
    await browser.typePassword(ada)
    return (await browser.post(path, fields())).status
  }
  const byCode = (address: string) => signIn(address, '/user/two_factor', () => ({ passcode: codeOf(secret, at) }))
  at += 30
  expect(await byCode('192.0.2.1')).toBe(303)
  const guesses: number[] = []
  for (let n = 0; n < 30; n++) guesses.push(await signIn(`198.51.100.${n}`, '/user/two_factor', () => ({ passcode: '000000' })))
  expect([guesses[0], guesses.at(-1), guesses.filter((status) => status === 401).length]).toEqual([401, 429, 20])
  at += 30
  expect(await byCode('192.0.2.1')).toBe(303)
  expect(await signIn('203.0.113.9', '/user/two_factor/scratch', () => ({ scratch_code: recovery }))).toBe(303)
})
