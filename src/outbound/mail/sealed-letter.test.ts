import { afterEach, beforeEach, expect, test } from 'bun:test'
import { lineLog } from '#kernel/log.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { type Receiver, receiver } from './receiver.fixture.ts'

let logged: string[]
let server: Receiver
let forge: TestForge
let welcome: (name: string) => Promise<void>

beforeEach(async () => {
  logged = []
  server = await receiver()
  const mailer = { ENABLED: true, PROTOCOL: 'smtp', SMTP_ADDR: '127.0.0.1', SMTP_PORT: server.port, FROM: 'forge@example.org' }
  forge = testForge({ mailer }, { log: lineLog('debug', (line) => logged.push(line)) })
  const root = await forge.person('root1', { isAdmin: true })
  welcome = async (username) => {
    const body = { username, email: `${username}@example.org`, send_notify: true }
    expect((await forge.asUser(root).post('/admin/users', body)).status).toBe(201)
  }
})
afterEach(async () => {
  await forge[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const change = (sql: string) => forge.context.db.tx((tx) => tx.run(sql))
const rows = () => forge.context.db.all<object>('SELECT * FROM mail')

test('mail that waits is sealed: its links are in no copy of the store', async () => {
  await welcome('ada')
  expect(rows()).toHaveLength(1)
  expect(JSON.stringify(rows())).not.toMatch(/http|Sign in|<p>/)
  await forge.context.mail.sendDue()
  expect(server.mails[0]?.raw).toContain('http')
})

test('mail that was sealed under a key which is lost is given up, and holds up no other', async () => {
  await welcome('ada')
  change("UPDATE mail SET text = 'v1:00000000:' || substr(text, 13)")
  await welcome('bob')
  await forge.context.mail.sendDue()
  expect(rows()).toEqual([])
  expect(server.mails.map(({ to }) => to)).toEqual([['bob@example.org']])
  expect(logged.join('')).toContain('its key is not in')
})

test('mail that waits since before mails were sealed is sent as it is', async () => {
  await welcome('ada')
  change("UPDATE mail SET text = 'as it was', html = '<p>as it was</p>'")
  await forge.context.mail.sendDue()
  expect(server.mails[0]?.raw).toContain('as it was')
})
