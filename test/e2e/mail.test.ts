import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sshpk from 'sshpk'
import { Database } from '#kernel/db.ts'
import { receiver } from '#outbound/mail/receiver.fixture.ts'
import { ADMIN_PASSWORD, startBinary } from '../binary.ts'
import { eventually } from '../eventually.ts'
import { copyStore } from './forge.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-mail-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A key and a certificate of `localhost`, in PEM. */
function certificate() {
  const key = sshpk.generatePrivateKey('ecdsa')
  const options = { lifetime: 3600, purposes: ['ca', 'serverAuth'] }
  return { key: key.toString('pkcs8'), cert: sshpk.createSelfSignedCertificate([sshpk.identityForHost('localhost')], key, options).toString('pem') }
}

test.each([
  ['smtps', { secure: true }],
  ['smtp+starttls', { hideSTARTTLS: false }],
])(
  'over %s a mail outlives a server that is killed while it is sent, and holds up nobody',
  async (protocol, options) => {
    const pem = certificate()
    const authority = join(directory, `${protocol}.pem`)
    writeFileSync(authority, pem.cert)
    await using mailServer = await receiver({ ...options, ...pem, authOptional: false })
    let attempts = 0
    mailServer.answer = () => {
      attempts++
      return new Promise(() => {})
    }
    const settings = { ENABLED: 'true', PROTOCOL: protocol, SMTP_ADDR: 'localhost', USER: 'forge@example.org', PASSWD: 'hunter2hunter2' }
    const env = {
      NODE_EXTRA_CA_CERTS: authority,
      POCKETFORGE_MAILER_SMTP_PORT: String(mailServer.port),
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`POCKETFORGE_MAILER_${name}`, value])),
    }
    const data = join(directory, `data-${protocol}`)
    await copyStore(data)
    const first = await startBinary({ data, env })
    const headers = { Authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ username: 'bob', email: 'bob@example.org', password: 'correct horse', send_notify: true })
    expect((await fetch(`${first.origin}/api/v1/admin/users`, { method: 'POST', headers, body })).status).toBe(201)
    await eventually(() => attempts === 1)
    expect((await fetch(`${first.origin}/api/v1/version`)).status).toBe(200)
    await first.stop('SIGKILL')

    const db = new Database(join(data, 'pocketforge.db'))
    expect(db.all('SELECT attempts FROM mail')).toEqual([{ attempts: 1 }])
    db.tx((tx) => tx.run('UPDATE mail SET next_attempt_at = 0'))
    db.close()
    mailServer.answer = () => undefined
    await using second = await startBinary({ data, env })
    await eventually(() => mailServer.mails.length === 1)
    expect(mailServer.mails).toMatchObject([{ to: ['bob@example.org'], isSecure: true, user: 'forge@example.org' }])
    expect(await second.stop()).toBe(0)
    const after = new Database(join(data, 'pocketforge.db'))
    expect(after.all('SELECT * FROM mail')).toEqual([])
    after.close()
  },
  120_000,
)
