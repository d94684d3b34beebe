import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const ATTACK = '<script>alert(1)</script><img src=x onerror=alert(1)>'
let forge: TestForge
let hers: TestBrowser
const waiting = () => forge.context.db.all<{ id: number; next_attempt_at: number }>('SELECT id, next_attempt_at FROM mail ORDER BY id')

beforeAll(async () => {
  // Nothing listens there.
  const mailer = { ENABLED: true, PROTOCOL: 'smtp', SMTP_ADDR: '127.0.0.1', SMTP_PORT: 1, FROM: 'forge@example.org', PASSWD: 'hush-hush' }
  forge = testForge({ mailer })
  const root = await forge.person('root1', { isAdmin: true })
  hers = new TestBrowser(forge, root)
  for (const name of ['ada', 'bob']) {
    const { status } = await forge.asUser(root).post('/admin/users', { username: name, email: `${name}@example.org`, full_name: ATTACK, send_notify: true })
    expect(status).toBe(201)
  }
})
afterAll(() => forge[Symbol.asyncDispose]())

test('mail that waits is listed with why, and not with what it says', async () => {
  await forge.context.mail.sendDue()
  const { status, text } = await hers.get('/-/admin/mail')
  expect([status, /<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i.test(text)]).toEqual([200, false])
  for (const part of ['ada@example.org', 'bob@example.org', '1 attempt, next attempt']) expect(text).toContain(part)
  expect(text).toMatch(/<p>[^<]*(ECONNREFUSED|connect|refused)[^<]*<\/p>/i)
  expect(text).not.toContain('Sign in with the password')
})

test('it is sent sooner, one by one or all, or never', async () => {
  const later = forge.context.clock.seconds() + 5000
  forge.context.db.tx((tx) => tx.run('UPDATE mail SET next_attempt_at = ?', later))
  const [first, second] = waiting()
  expect((await hers.post('/-/admin/mail/send', { id: String(first?.id) })).status).toBe(303)
  expect(waiting().map(({ next_attempt_at: at }) => at === later)).toEqual([false, true])
  await hers.post('/-/admin/mail/send')
  expect(waiting().some(({ next_attempt_at: at }) => at === later)).toBe(false)
  await hers.post('/-/admin/mail/drop', { id: String(first?.id) })
  expect(waiting().map(({ id }) => id)).toEqual([second?.id ?? 0])
  expect((await hers.post('/-/admin/mail/drop', {})).status).toBe(303)
  expect(waiting()).toHaveLength(1)
})

test('others and other sites do neither', async () => {
  const his = new TestBrowser(forge, await forge.person('carl'))
  for (const path of ['send', 'drop']) {
    expect((await his.post(`/-/admin/mail/${path}`, { id: '1' })).status).toBe(403)
    expect((await hers.post(`/-/admin/mail/${path}`, { id: '1' }, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  }
  for (const path of ['mail', 'config']) expect((await his.get(`/-/admin/${path}`)).status).toBe(403)
})

test('every setting is shown with what it is for; of a secret only that it is set', async () => {
  const { status, text } = await hers.get('/-/admin/config')
  expect(status).toBe(200)
  expect(text).toContain('<code>SMTP_<wbr>ADDR</code>')
  expect(text).toContain('<code>&quot;127.0.0.1&quot;</code>')
  expect(text).toContain('set (hidden)')
  expect(text).not.toContain('hush-hush')
  expect(text.match(/<h1[ >]/g)?.length).toBe(1)
})
