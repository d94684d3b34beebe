import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { certificate } from '#people/sources/certificate.fixture.ts'
import { hasSlapd, type Slapd, startSlapd, suffix } from '#people/sources/ldap/slapd.fixture.ts'
import { codeOf } from '../../src/people/second-factors/one-time-code.fixture.ts'
import { ADMIN_PASSWORD, runBinary } from '../binary.ts'
import { forgeForStories, setCheapPassword, story, systemSeconds } from './forge.ts'

/** So many wrong ones for one account from one address; from all, ten times as many. */
const FAILURES = 3
const env = {
  POCKETFORGE_SECURITY_SIGN_IN_FAILURES: String(FAILURES),
  // Everybody here has an address of their own.
  POCKETFORGE_SECURITY_REVERSE_PROXY_TRUSTED_PROXIES: 'loopback',
}
const HOME = '203.0.113.7'
const MS = 120_000

story('whoever tries secrets out', () => {
  const forge = forgeForStories({ env })
  const data = () => forge.server.data

  interface Asked {
    from: string
    cookie?: string
    headers?: Record<string, string>
    form?: Record<string, string>
  }
  const ask = (path: string, { from, cookie, headers, form }: Asked) =>
    fetch(`${forge.server.origin}${path}`, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { 'X-Forwarded-For': from, Origin: forge.server.origin, Accept: 'text/html', ...(cookie === undefined ? {} : { Cookie: cookie }), ...headers },
      body: form && new URLSearchParams(form),
      redirect: 'manual',
    })
  const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')

  /** Guesses until it has to wait; @returns the statuses of the guesses before that, and the seconds */
  async function guess(once: (attempt: number) => Promise<Response>, most: number): Promise<{ statuses: number[]; wait: number }> {
    const statuses: number[] = []
    for (let attempt = 0; attempt < most; attempt++) {
      const answer = await once(attempt)
      if (answer.status === 429) return { statuses, wait: Number(answer.headers.get('retry-after')) }
      statuses.push(answer.status)
    }
    return { statuses, wait: 0 }
  }

  async function addPerson(name: string): Promise<void> {
    const password = `${name} has a password`
    const headers = { Authorization: basic('admin', ADMIN_PASSWORD), 'Content-Type': 'application/json' }
    const body = JSON.stringify({ username: name, email: `${name}@example.org`, password, must_change_password: false })
    expect((await fetch(`${forge.server.origin}/api/v1/admin/users`, { method: 'POST', headers, body })).status).toBe(201)
    setCheapPassword(data(), name, password)
  }

  const signIn = (name: string, password: string, from: string) => ask('/user/login', { from, form: { user_name: name, password } })
  const byProgram = (name: string, password: string, from: string, code?: string) =>
    ask('/api/v1/user', { from, headers: { Authorization: basic(name, password), ...(code === undefined ? {} : { 'X-Gitea-OTP': code }) } })

  describe('of passwords', () => {
    const doors: Record<string, (name: string, password: string, from: string) => Promise<Response>> = {
      'the API': byProgram,
      git: (name, password, from) => ask('/ada/absent.git/info/refs?service=git-upload-pack', { from, headers: { Authorization: basic(name, password) } }),
      'a new token': (name, password, from) =>
        ask(`/api/v1/users/${name}/tokens`, { from, form: { name: 't' }, headers: { Authorization: basic(name, password) } }),
      'the page': signIn,
      'another mail to activate': (name, password, from) => ask('/user/activate', { from, form: { user_name: name, password, email: '' } }),
    }

    test.each(Object.entries(doors))(
      '%s: has to wait, also at the other doors, while nobody else has to',
      async (door, knock) => {
        const name = `p${Object.keys(doors).indexOf(door)}`
        await addPerson(name)
        const known = await signIn(name, `${name} has a password`, HOME)
        expect(known.status).toBe(303)
        const { statuses, wait } = await guess((attempt) => knock(name, `wrong ${attempt}`, '198.51.100.1'), 20)
        expect([statuses.length, statuses.some((status) => status < 400), wait > 0]).toEqual([FAILURES, false, true])
        for (const other of Object.values(doors)) expect((await other(name, `${name} has a password`, '198.51.100.1')).status).toBe(429)
        expect((await byProgram(name, `${name} has a password`, '198.51.100.200')).status).toBe(200)
      },
      MS,
    )

    test(
      'strangers at a hundred addresses come to their end, and lock nobody out where the account is at home',
      async () => {
        await addPerson('carol')
        await signIn('carol', 'carol has a password', HOME)
        const { statuses, wait } = await guess((attempt) => byProgram('carol', `wrong ${attempt}`, `192.0.2.${attempt}`), 100)
        expect([statuses.length, wait > 0]).toEqual([10 * FAILURES, true])
        expect((await signIn('carol', 'carol has a password', HOME)).status).toBe(303)
        expect((await byProgram('carol', 'carol has a password', HOME)).status).toBe(200)
      },
      MS,
    )

    test('applications cannot bring passwords at all', async () => {
      const form = { grant_type: 'password', username: 'admin', password: 'x', client_id: 'a4792ccc-144e-407e-86c9-5e7d8d9c3269' }
      const answer = await ask('/login/oauth/access_token', { from: HOME, form })
      expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error: 'unsupported_grant_type' })])
    })
  })

  describe('of second factors', () => {
    let secret = ''
    let codes: string[] = []

    /** The cookie of a browser that is asked for the second step. */
    const halfIn = async (from: string) => cookieOf(await signIn('grace', 'grace has a password', from))

    beforeAll(async () => {
      await addPerson('grace')
      const cookie = await halfIn(HOME)
      const page = await (await ask('/user/settings/security/two_factor/enroll', { from: HOME, cookie })).text()
      secret = (/<dd><code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? '').replaceAll(' ', '')
      const offer = /name="offer" value="([^"]+)"/.exec(page)?.[1] ?? ''
      const form = { offer, passcode: codeOf(secret, systemSeconds()) }
      const shown = await (await ask('/user/settings/security/two_factor/enroll', { from: HOME, cookie, form })).text()
      codes = shown.match(/[a-z2-9]{4}(-[a-z2-9]{4}){3}/g) ?? []
      expect(codes).toHaveLength(10)
    }, MS)

    test.each<[what: string, path: string, field: string]>([
      ['codes of the app', '/user/two_factor', 'passcode'],
      ['recovery codes', '/user/two_factor/scratch', 'scratch_code'],
    ])(
      '%s at the second step: who has the password has to wait all the same, however often it is typed',
      async (_, path, field) => {
        const from = field === 'passcode' ? '198.51.100.11' : '198.51.100.12'
        const { statuses, wait } = await guess(async (attempt) => {
          const form = { [field]: field === 'passcode' ? String(100_000 + attempt) : `aaaa-bbbb-cccc-${2222 + attempt}` }
          return ask(path, { from, cookie: await halfIn(from), form })
        }, 20)
        expect([statuses, wait > 0]).toEqual([Array(FAILURES).fill(401), true])
      },
      MS,
    )

    test(
      'codes beside the password, for programs: the same',
      async () => {
        const { statuses, wait } = await guess((attempt) => byProgram('grace', 'grace has a password', '198.51.100.13', String(200_000 + attempt)), 20)
        expect([statuses, wait > 0]).toEqual([Array(FAILURES).fill(401), true])
      },
      MS,
    )

    test(
      'and its owner is let in elsewhere by either',
      async () => {
        const byCode = await ask('/user/two_factor/scratch', { from: HOME, cookie: await halfIn(HOME), form: { scratch_code: codes[0] as string } })
        // The code that set the app up is used.
        const byApp = await byProgram('grace', 'grace has a password', HOME, codeOf(secret, systemSeconds() + 30))
        expect([byCode.status, byApp.status]).toEqual([303, 200])
      },
      MS,
    )
  })

  describe.skipIf(!hasSlapd)('of passwords that slapd knows', () => {
    let slapd: Slapd
    beforeAll(async () => {
      slapd = await startSlapd()
      await slapd.person('rose')
      await Bun.write(join(forge.directory, 'secret'), 'searcher password\n')
      await Bun.write(join(forge.directory, 'ca.pem'), certificate)
      const where = ['--host', '127.0.0.1', '--port', String(slapd.port), '--security-protocol', 'StartTLS', '--tls-ca-file', join(forge.directory, 'ca.pem')]
      const whom = ['--user-search-base', `ou=people,${suffix}`, '--user-filter', '(uid=%s)', '--username-attribute', 'uid', '--email-attribute', 'mail']
      const reader = ['--bind-dn', `cn=searcher,${suffix}`, '--bind-password-file', join(forge.directory, 'secret')]
      expect((await runBinary(['admin', 'auth', 'add', 'ldap', '--name', 'corp', ...where, ...whom, ...reader, '--data', data()])).exitCode).toBe(0)
    }, MS)
    afterAll(() => slapd?.[Symbol.asyncDispose]())

    test(
      'they have to wait however they spell the name, and the directory is not asked meanwhile; who is at home there is let in',
      async () => {
        expect((await byProgram('rose', 'rose password', HOME)).status).toBe(200)
        const { statuses, wait } = await guess((attempt) => byProgram('rose', `wrong ${attempt}`, '198.51.100.21'), 20)
        expect([statuses, wait > 0]).toEqual([Array(FAILURES).fill(401), true])
        expect((await byProgram('rose', 'rose password', '198.51.100.21')).status).toBe(429)
        expect((await byProgram('rose', 'rose password', HOME)).status).toBe(200)
        // The directory takes these for the same name.
        for (const spelling of ['rose  ', ' rose', '\u200brose', '\uff32ose', 'r\u00adose', '\trose'])
          expect([spelling, (await byProgram(spelling, 'wrong again', '198.51.100.21')).status]).toEqual([spelling, 429])
      },
      MS,
    )
  })
})
