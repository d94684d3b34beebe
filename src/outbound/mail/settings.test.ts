import { expect, test } from 'bun:test'
import { type ConfigInput, makeConfig } from '#config.ts'
import { mailSettings } from './connection.ts'

const base = { ENABLED: true, SMTP_ADDR: 'mx.example.org', FROM: 'forge@example.org' }
const settingsOf = (mailer: ConfigInput[string]) => mailSettings(makeConfig('/tmp', { mailer: { ...base, ...mailer } }))

test.each([
  [{}, 'smtps', 465],
  [{ SMTP_PORT: 587 }, 'smtp+starttls', 587],
  [{ SMTP_PORT: 25 }, 'smtp', 25],
  [{ SMTP_PORT: 2525 }, 'smtps', 2525],
  [{ PROTOCOL: 'smtp' }, 'smtp', 25],
  [{ PROTOCOL: 'smtp+startls' }, 'smtp+starttls', 587],
  [{ SMTP_ADDR: '/run/smtp.sock' }, 'smtp+unix', 0],
] as const)('%j means %s on port %i', (mailer, protocol, port) => {
  expect(settingsOf(mailer)).toMatchObject({ protocol, port })
})

test.each([
  [{ PROTOCOL: 'sendmail', SENDMAIL_PATH: 'sendmail' }, 'expected the absolute path of a program'],
  [{ PROTOCOL: 'sendmail', SENDMAIL_PATH: '/nonexistent/sendmail' }, 'does not exist'],
  [{ PROTOCOL: 'pigeon' }, 'expected one of smtp, smtps'],
  [{ SMTP_ADDR: '' }, 'needs the address of a mail server'],
  [{ FROM: 'nobody' }, '= "nobody": expected an address'],
  [{ FROM: 'a@example.org\r\nBcc: b@example.org' }, ': expected an address'],
  [{ FROM: '' }, 'mailer.FROM'],
  [{ PROTOCOL: 'smtp', USER: 'forge', PASSWD: 'canary' }, 'without encryption'],
  [{ PASSWD: 4711 }, 'Invalid setting mailer.PASSWD: expected a string'],
])('%j stops the start and says why, without the password', (mailer, reason) => {
  expect(() => settingsOf(mailer)).toThrow(reason)
  expect(() => settingsOf(mailer)).not.toThrow(/canary|4711/)
})
