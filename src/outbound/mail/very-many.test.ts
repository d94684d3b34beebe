import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { receiver, refusal } from './receiver.fixture.ts'

const MANY = 2000

test('very many mails are hastened, and given up, a part at a time', async () => {
  let now = 1_800_000_000
  await using server = await receiver()
  server.answer = () => refusal(450, 'mailbox busy')
  const mailer = { ENABLED: true, PROTOCOL: 'smtp', SMTP_ADDR: '127.0.0.1', SMTP_PORT: server.port, FROM: 'forge@example.org' } as const
  await using forge = testForge({ mailer }, { clock: { seconds: () => now, millis: () => now * 1000 } })
  const { db, mail } = forge.context
  const ada = await forge.person('ada')
  db.tx((tx) => {
    mail.queue(tx, ada.row, { subject: 'Hello', text: 'Hello', html: 'Hello' })
    const again = `INSERT INTO mail (user_id, message_id, subject, text, html, next_attempt_at, created_at)
      SELECT user_id, message_id, subject, text, html, next_attempt_at + 60, created_at FROM mail, json_each(?)`
    tx.run(again, JSON.stringify(new Array(MANY).fill(0)))
  })
  const later = () => db.find<{ n: number }>('SELECT count(*) AS n FROM mail WHERE next_attempt_at > ?', now)?.n
  const written = async (deed: () => Promise<void>) => {
    const before = db.changes
    await deed()
    return db.changes - before
  }
  expect(await written(() => mail.hasten())).toBeGreaterThanOrEqual(10)
  expect([mail.listWaiting({ page: 1, limit: 1, offset: 0 }).total, later()]).toEqual([MANY + 1, 0])
  now += 4 * 86_400
  expect(await written(() => mail.sendDue())).toBeGreaterThanOrEqual(10)
  expect(mail.listWaiting({ page: 1, limit: 1, offset: 0 }).total).toBe(0)
})
