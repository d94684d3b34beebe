import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { ConfigInput } from '#config.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { waitingLetters } from '../../../test/letters.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { deleteForgotten } from './clean-up.ts'
import { answerRequests } from './recover.ts'

const PASSWORD = 'correct horse battery'
const mailer = { ENABLED: true, PROTOCOL: 'dummy', FROM: 'forge@example.org' }

interface Place {
  forge: TestForge
  ahead: (seconds: number) => void
  /** Letters that wait for an address, oldest first. */
  mails: (email: string) => { subject: string; text: string }[]
  /** The path that the newest of them leads to. */
  link: (email: string) => string
}

/** A forge in which anybody can register. */
function open(service: ConfigInput[string] = {}, more: ConfigInput = {}): Place {
  const clock = manualClock()
  const forge = testForge({ service: { DISABLE_REGISTRATION: false, ...service }, mailer, ...more }, { clock })
  const mails = (email: string) => waitingLetters(forge, { address: email })
  const link = (email: string) => new URL(/http\S+/.exec(mails(email).at(-1)?.text ?? '')?.[0] ?? 'http://nothing/')
  return { forge, mails, link: (email) => link(email).pathname + link(email).search, ahead: clock.advance }
}

const signUp = (browser: TestBrowser, user_name: string, email = `${user_name}@new.example`, password = PASSWORD) =>
  browser.post('/user/sign_up', { user_name, email, password })
const codeIn = (path: string) => path.split('code=')[1] ?? ''
const signIn = (browser: TestBrowser, user_name: string, password = PASSWORD) => browser.post('/user/login', { user_name, password })
const isActive = (forge: TestForge, name: string) => forge.context.db.find<{ is_active: number }>('SELECT is_active FROM user WHERE name = ?', name)?.is_active

describe('registration', () => {
  test('is closed until a setting opens it, and the sign-in page does not speak of it', async () => {
    await using forge = testForge({ mailer })
    const browser = new TestBrowser(forge)
    expect((await browser.get('/user/sign_up')).status).toBe(403)
    expect((await signUp(browser, 'ada')).status).toBe(403)
    expect((await browser.get('/user/login')).text).not.toContain('/user/sign_up')
    expect(forge.context.db.find("SELECT 1 FROM user WHERE name = 'ada'")).toBeUndefined()
  })

  test('makes an account that is signed in at once', async () => {
    const { forge } = open()
    await using _ = forge
    const browser = new TestBrowser(forge)
    expect((await browser.get('/user/login')).text).toContain('/user/sign_up')
    const made = await signUp(browser, 'ada')
    expect([made.status, made.headers.get('location')]).toEqual([303, '/'])
    expect((await browser.get('/user/settings')).status).toBe(200)
  })

  test.each([
    ['a name that is taken', 'Taken', 'x@new.example', PASSWORD, 422],
    ['a name that the server needs', 'explore', 'x@new.example', PASSWORD, 422],
    ['a name that looks like another', 'аda', 'x@new.example', PASSWORD, 422],
    ['an address that is none', 'ada', 'x@new.example\r\nBcc: y@new.example', PASSWORD, 422],
    ['an address that is taken, in other letters', 'ada', 'TAKEN@example.org', PASSWORD, 422],
    ['a domain that is blocked', 'ada', 'x@mail.throwaway.example', PASSWORD, 422],
    ['a short password', 'ada', 'x@new.example', 'short', 422],
  ])('refuses %s, and keeps what was typed', async (_, name, email, password, status) => {
    const { forge } = open({ EMAIL_DOMAIN_BLOCKLIST: ['*throwaway.example'] })
    await using __ = forge
    await forge.person('taken')
    const refused = await signUp(new TestBrowser(forge), name, email, password)
    expect([refused.status, refused.text.includes('role="alert"'), refused.text.includes(password)]).toEqual([status, true, false])
    expect(refused.text).toContain(`value="${name}"`)
    expect(forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM user')?.n).toBe(1)
  })

  test('takes only addresses of the domains that are allowed, where some are', async () => {
    const { forge } = open({ EMAIL_DOMAIN_ALLOWLIST: ['example.org'], EMAIL_DOMAIN_BLOCKLIST: ['example.org'] })
    await using _ = forge
    expect((await signUp(new TestBrowser(forge), 'ada', 'ada@new.example')).status).toBe(422)
    expect((await signUp(new TestBrowser(forge), 'ada', 'ada@Example.org')).status).toBe(303)
  })

  test('by many from one address has to wait', async () => {
    const { forge, ahead } = open()
    await using _ = forge
    for (let i = 0; i < 10; i++) expect((await signUp(new TestBrowser(forge), `p${i}`)).status).toBe(303)
    const refused = await signUp(new TestBrowser(forge), 'p10')
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    ahead(3600)
    expect((await signUp(new TestBrowser(forge), 'p10')).status).toBe(303)
  })

  test('of one name by eight at once makes one account', async () => {
    const { forge } = open()
    await using _ = forge
    const answers = await Promise.all(Array.from({ length: 8 }, (__, i) => signUp(new TestBrowser(forge), 'ada', `a${i}@new.example`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422, 422, 422, 422, 422])
  })

  test('waits for an administrator where that is asked for', async () => {
    const { forge } = open({ REGISTER_MANUAL_CONFIRM: true })
    await using _ = forge
    const root = await forge.person('root1', { isAdmin: true })
    const browser = new TestBrowser(forge)
    expect((await signUp(browser, 'ada')).text).toContain('A site administrator must activate your account')
    expect((await signIn(browser, 'ada')).status).toBe(403)
    await forge.asUser(root).patch('/admin/users/ada', { source_id: 0, login_name: '', active: true })
    expect((await signIn(browser, 'ada')).status).toBe(303)
  })
})

describe('an account that a mail activates', () => {
  let place: Place
  let forge: TestForge
  beforeEach(() => {
    place = open({ REGISTER_EMAIL_CONFIRM: true })
    forge = place.forge
  })
  afterEach(() => forge[Symbol.asyncDispose]())
  const activate = (browser: TestBrowser, email: string, password = PASSWORD) => browser.post('/user/activate', { code: codeIn(place.link(email)), password })

  test('is inactive until the link of the mail is followed and the password typed, once', async () => {
    const browser = new TestBrowser(forge)
    expect((await signUp(browser, 'ada')).text).toContain('Check your email')
    expect([(await signIn(browser, 'ada')).status, isActive(forge, 'ada')]).toEqual([403, 0])
    const link = place.link('ada@new.example')
    for (let i = 0; i < 2; i++) expect((await browser.get(link)).status).toBe(200)
    expect(isActive(forge, 'ada')).toBe(0)
    expect((await activate(browser, 'ada@new.example', 'somebody else’s')).status).toBe(401)
    expect((await activate(browser, 'ada@new.example')).status).toBe(303)
    expect([isActive(forge, 'ada'), (await browser.get('/user/settings')).status]).toEqual([1, 200])
    expect([(await browser.get(link)).status, (await activate(browser, 'ada@new.example')).status]).toEqual([404, 404])
  })

  test('is not shown to have an address that it has not shown to be its own', async () => {
    const bob = await forge.person('bob')
    await signUp(new TestBrowser(forge), 'quiet', 'chosen@new.example')
    expect((await forge.asUser(bob).get<{ email: string }>('/users/quiet')).body.email ?? '').not.toContain('chosen')
    expect((await forge.asUser(bob).get<{ data: unknown[] }>('/users/search?q=chosen@new.example')).body.data).toEqual([])
  })

  test('with an address that somebody has already: the answer is the same, and only who has it is told', async () => {
    await forge.person('bob')
    const answers: string[] = []
    for (const [name, email] of [
      ['eve1', 'bob@example.org'],
      ['eve2', 'nobody@new.example'],
    ] as const) {
      const { text, status } = await signUp(new TestBrowser(forge), name, email)
      answers.push(`${status} ${text}`)
      expect(isActive(forge, name)).toBe(0)
    }
    expect(answers[0]).toBe(answers[1] as string)
    expect(place.mails('bob@example.org').map(({ subject }) => subject)).toEqual(['You already have an account on localhost:3000'])
    expect(place.link('bob@example.org')).toBe('/user/forgot_password')
  })

  test('is activated for whoever confirms an address first, and for nobody else', async () => {
    for (const name of ['first', 'second']) await signUp(new TestBrowser(forge), name, 'shared@new.example')
    const [early, late] = place.mails('shared@new.example').map(({ text }) => /code=([0-9a-f]+)/.exec(text)?.[1] ?? '')
    const post = (code = '') => new TestBrowser(forge).post('/user/activate', { code, password: PASSWORD })
    expect([(await post(late)).status, (await post(early)).status]).toEqual([303, 404])
    expect([isActive(forge, 'first'), isActive(forge, 'second')]).toEqual([0, 1])
  })

  test('is no way to have a stranger mailed without end, nor to keep their address from registering', async () => {
    const own = open({ REGISTER_EMAIL_CONFIRM: true })
    await using _ = own.forge
    const browser = new TestBrowser(own.forge)
    for (let i = 0; i < 8; i++) expect((await signUp(browser, `flood${i}`, 'victim@new.example')).status).toBe(200)
    expect(own.mails('victim@new.example')).toHaveLength(5)
    own.ahead(4 * 3600)
    expect((await signUp(browser, 'victim', 'victim@new.example')).status).toBe(200)
    const code = codeIn(own.link('victim@new.example'))
    expect((await browser.post('/user/activate', { code, password: PASSWORD })).status).toBe(303)
  })

  test('does not wait for very many codes that are over to be cleared away, and those do not count', async () => {
    const own = open({ REGISTER_EMAIL_CONFIRM: true })
    await using _ = own.forge
    const { db } = own.forge.context
    const { row } = await own.forge.person('ada')
    db.tx((tx) => {
      const old = { user_id: row.id, purpose: 'reset', lower_email: 'first@new.example', credential: '', created_at: 1 }
      for (let n = 0; n < 250; n++) tx.insert('account_code', { ...old, digest: `old ${n}` })
    })
    const left = () => db.all('SELECT 1 FROM account_code WHERE created_at = 1').length
    expect((await signUp(new TestBrowser(own.forge), 'first')).status).toBe(200)
    expect([left(), own.mails('first@new.example').length]).toEqual([150, 1])
    for (const name of ['second', 'third']) await signUp(new TestBrowser(own.forge), name)
    expect(left()).toBe(0)
  })

  test('can have its mail sent again, not at once, and to another address, for which alone the link is good', async () => {
    const browser = new TestBrowser(forge)
    await signUp(browser, 'typo', 'typpo@new.example')
    const again = (password: string, email = '') => browser.post('/user/activate', { user_name: 'typo', password, email })
    expect((await again('wrong password')).status).toBe(401)
    expect((await again(PASSWORD, 'typo@new.example')).status).toBe(429)
    place.ahead(200)
    expect((await again(PASSWORD, 'typo@new.example')).status).toBe(200)
    expect((await activate(browser, 'typpo@new.example')).status).toBe(404)
    expect((await activate(browser, 'typo@new.example')).status).toBe(303)
    expect((await again(PASSWORD)).status).toBe(400)
  })

  test('is too late after some hours, and gone after a week: its name is free again', async () => {
    await forge.person('ada')
    const browser = new TestBrowser(forge)
    await signUp(browser, 'late')
    place.ahead(181 * 60)
    expect((await activate(browser, 'late@new.example')).status).toBe(404)
    place.ahead(8 * 86_400)
    await deleteForgotten(forge.context)
    expect([isActive(forge, 'late'), isActive(forge, 'ada')]).toEqual([undefined, 1])
    expect((await signUp(browser, 'late')).status).toBe(200)
  })

  test('cannot be made where no mail is sent', async () => {
    const closed = open({ REGISTER_EMAIL_CONFIRM: true }, { mailer: { ENABLED: false } })
    await using _ = closed.forge
    expect((await signUp(new TestBrowser(closed.forge), 'ada')).status).toBe(403)
  })
})

describe('a forgotten password', () => {
  let place: Place
  let forge: TestForge
  beforeEach(() => {
    place = open()
    forge = place.forge
  })
  afterEach(() => forge[Symbol.asyncDispose]())
  const forget = async (email: string) => {
    const answer = await new TestBrowser(forge).post('/user/forgot_password', { email })
    await answerRequests(forge.context)
    place.ahead(200)
    return answer
  }
  const recover = (email: string, more: Record<string, string> = {}) =>
    new TestBrowser(forge).post('/user/recover_account', { code: codeIn(place.link(email)), password: 'another good one', ...more })

  test('is replaced by who reads the mail of the account; all its browsers are signed out', async () => {
    const ada = await forge.person('ada', { password: PASSWORD })
    const other = new TestBrowser(forge, ada)
    expect((await forget('ADA@example.org')).text).toContain('If the address belongs to an account')
    expect((await new TestBrowser(forge).get(place.link('ada@example.org'))).text).toContain('Reset password')
    expect((await recover('ada@example.org', { password: 'short' })).status).toBe(422)
    expect((await recover('ada@example.org')).status).toBe(303)
    expect((await recover('ada@example.org', { password: 'and once more' })).status).toBe(404)
    expect((await other.get('/user/settings')).status).toBe(303)
    expect([(await signIn(new TestBrowser(forge), 'ada')).status, (await signIn(new TestBrowser(forge), 'ada', 'another good one')).status]).toEqual([401, 303])
  })

  test('gets the same answer for addresses of nobody, of the barred, and of those not confirmed, and they get no mail', async () => {
    const [bob] = [await forge.person('bob'), await forge.person('barred')]
    await forge.asUser(bob).post('/user/emails', { emails: ['claimed@new.example'] })
    forge.context.db.tx((tx) => tx.run("UPDATE user SET prohibit_login = 1 WHERE name = 'barred'"))
    const known = await forget('bob@example.org')
    for (const email of ['nobody@new.example', 'barred@example.org', 'claimed@new.example', 'bob@exаmple.org']) {
      const { status, text } = await forget(email)
      expect([email, status, text]).toEqual([email, known.status, known.text])
      expect(place.mails(email).filter(({ subject }) => subject.startsWith('Reset'))).toEqual([])
    }
    expect(place.mails('bob@example.org')).toHaveLength(1)
  })

  test('of several addresses at once is refused, and one text of several is the address of nobody', async () => {
    await forge.person('bob')
    const both = ['bob@example.org', 'eve@new.example']
    const spellings: Record<string, string | string[]>[] = [{ email: both }, { 'email[]': both }]
    for (const fields of spellings) expect((await new TestBrowser(forge).post('/user/forgot_password', fields)).status).toBe(422)
    const before = place.mails('bob@example.org').length
    expect((await forget(both.join(','))).status).toBe(200)
    expect([place.mails('bob@example.org').length, place.mails('eve@new.example')]).toEqual([before, []])
  })

  test('is told where it is kept when that is elsewhere', async () => {
    const { row } = await forge.person('outside')
    forge.context.db.tx((tx) => tx.update('user', row.id, { login_source: 7, login_name: 'x' }))
    await forget('outside@example.org')
    expect(place.mails('outside@example.org').map(({ subject }) => subject)).toEqual(['Your password on localhost:3000'])
  })

  test.each([
    ['the password is changed', "UPDATE user SET password_hash = 'x' WHERE name = 'dora'"],
    ['the address is changed', "UPDATE user SET email = 'x@new.example' WHERE name = 'dora'"],
    ['the account is barred', "UPDATE user SET prohibit_login = 1 WHERE name = 'dora'"],
  ])('has a link that ends when %s', async (_, sql) => {
    await using own = open().forge
    const dora = await own.person('dora')
    await new TestBrowser(own).post('/user/forgot_password', { email: 'dora@example.org' })
    await answerRequests(own.context)
    const text = waitingLetters(own, { userId: dora.row.id })[0]?.text ?? ''
    const code = /code=([0-9a-f]+)/.exec(text)?.[1] ?? ''
    expect((await new TestBrowser(own).get(`/user/recover_account?code=${code}`)).status).toBe(200)
    own.context.db.tx((tx) => tx.run(sql))
    const over = await new TestBrowser(own).get(`/user/recover_account?code=${code}`)
    expect([over.status, over.text]).toEqual([
      404,
      expect.stringMatching(/The link is invalid, has expired or was already used\.[\s\S]*Send password reset email/),
    ])
  })

  test('has a link that is good for nothing else, and codes for other things are not good for it', async () => {
    await forge.person('bob')
    await forget('bob@example.org')
    const code = codeIn(place.link('bob@example.org'))
    for (const path of ['/user/activate', '/user/activate_email']) expect((await new TestBrowser(forge).get(`${path}?code=${code}`)).status).toBe(404)
    expect(JSON.stringify(forge.context.db.all('SELECT * FROM account_code'))).not.toContain(code)
  })

  test('is asked for in vain where no mail is sent', async () => {
    const silent = open({}, { mailer: { ENABLED: false } })
    await using _ = silent.forge
    const browser = new TestBrowser(silent.forge)
    expect((await browser.get('/user/forgot_password')).text).toContain('Ask a site administrator')
    expect((await browser.post('/user/forgot_password', { email: 'ada@example.org' })).status).toBe(404)
  })
})
