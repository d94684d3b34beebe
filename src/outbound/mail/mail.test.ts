import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lineLog } from '#kernel/log.ts'
import { eventually } from '../../../test/eventually.ts'
import { fakeTimers } from '../../../test/fake-timers.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { writeLetter } from './index.ts'
import { type Received, type Receiver, receiver, refusal } from './receiver.fixture.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-mail-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let now = 0
const clock = { seconds: () => now, millis: () => now * 1000 }
let logged: string[] = []
beforeEach(() => {
  now = 1_800_000_000
  logged = []
})

interface Post extends AsyncDisposable {
  forge: TestForge
  root: Person
  server: Receiver
  waiting(): number
  /** Creates an account as an administrator does, with `send_notify`. */
  create(username: string, more?: object): Promise<number>
  send(): Promise<void>
}

/** A forge with a mail server of its own. */
async function post(mailer: Record<string, unknown> = {}, options: Parameters<typeof receiver> = [], network: object = {}): Promise<Post> {
  const server = await receiver(...options)
  const section = { ENABLED: true, PROTOCOL: 'smtp', SMTP_ADDR: '127.0.0.1', SMTP_PORT: server.port, FROM: '"The Forge" <forge@example.org>', ...mailer }
  const forge = testForge({ mailer: section, network: { ...network } }, { clock, log: lineLog('debug', (line) => logged.push(line)) })
  const root = await forge.person('root1', { isAdmin: true })
  return {
    forge,
    root,
    server,
    waiting: () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM mail')?.n ?? -1,
    create: async (username, more) => {
      const body = { username, email: `${username}@example.org`, send_notify: true, ...more }
      return (await forge.asUser(root).post('/admin/users', body)).status
    },
    send: () => forge.context.mail.sendDue(),
    async [Symbol.asyncDispose]() {
      await forge[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

describe('the welcome mail', () => {
  test('tells who one is, where the forge is and how to sign in, once, and never the password', async () => {
    await using place = await post({ SUBJECT_PREFIX: '[forge]' })
    expect(await place.create('ada', { full_name: 'Ada King', password: 'correct horse' })).toBe(201)
    expect([place.waiting(), place.server.mails.length]).toEqual([1, 0])
    await place.send()
    await place.send()
    expect([place.waiting(), place.server.mails.length, place.server.connections]).toEqual([0, 1, 1])
    const [{ from, to, raw }] = place.server.mails as [Received]
    expect([from, to]).toEqual(['forge@example.org', ['ada@example.org']])
    const headers = ['From: The Forge <forge@example.org>', 'To: Ada King <ada@example.org>', 'Subject: [forge] Your account on localhost:3000']
    for (const header of [...headers, 'Auto-Submitted: auto-generated']) expect(raw.split('\r\n')).toContain(header)
    expect(raw).toMatch(/^Message-ID: <[0-9a-f]{32}@example\.org>\r$/m)
    const text = raw.replace(/=\r\n/g, '')
    for (const part of ['Hello Ada King,', 'http://localhost:3000/', 'Your username is ada.', 'You must choose a new password', 'text/plain', 'text/html'])
      expect(text).toContain(part)
    expect(raw + logged.join('')).not.toContain('correct horse')
  })

  test('says so when there is no password yet', async () => {
    await using place = await post()
    await place.create('ada')
    await place.send()
    expect(place.server.mails[0]?.raw.replace(/=\r\n/g, '')).toContain('no password yet')
  })

  test('goes to nobody without send_notify, and to no one whom an administrator did not create through the API', async () => {
    await using place = await post()
    await place.create('ada', { send_notify: false })
    await place.create('bob', { send_notify: undefined })
    expect(place.waiting()).toBe(0)
  })

  test('is not written when the account is not made', async () => {
    await using place = await post()
    expect([await place.create('root1'), await place.create('bad name'), place.waiting()]).toEqual([422, 422, 0])
  })

  test.each([
    [{ is_active: 0 }, 'inactive'],
    [{ prohibit_login: 1 }, 'barred'],
  ])('%j at the time it would be sent: it is not', async (state) => {
    await using place = await post()
    await place.create('ada')
    place.forge.context.db.tx((tx) => tx.run(`UPDATE user SET ${Object.keys(state)[0]} = ? WHERE name = 'ada'`, Object.values(state)[0] as number))
    await place.send()
    expect([place.waiting(), place.server.connections]).toEqual([0, 0])
  })

  test('a deleted account takes it along; a changed address gets it', async () => {
    await using place = await post()
    await place.create('ada')
    await place.create('bob')
    await place.forge.asUser(place.root).delete('/admin/users/ada')
    await place.forge.asUser(place.root).patch('/admin/users/bob', { source_id: 0, login_name: '', email: 'new@example.org' })
    await place.send()
    expect(place.server.mails.map(({ to }) => to)).toEqual([['new@example.org']])
  })
})

test.each(['Ada\r\nBcc: eve@example.org\r\n\r\nHello', 'Ada\nBcc: eve@example.org', 'Ada\u2028Bcc: eve@example.org', 'Ada" <eve@example.org>, "x'])(
  'a name like %j makes no header and no recipient',
  async (full_name) => {
    await using place = await post()
    await place.create('ada', { full_name })
    await place.send()
    const [{ to, raw }] = place.server.mails as [Received]
    expect(to).toEqual(['ada@example.org'])
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n')).matchAll(/^([^\s:]+):/gm)
    const names = ['Auto-Submitted', 'From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']
    expect([...headers].map(([, name]) => name)).toEqual(names)
  },
)

test('HTML in names and subjects is text', () => {
  const link = new URL('http://forge.example.org/?a="b"&c')
  const letter = writeLetter('securityChanged', { host: '<b>\r\nBcc: x', user: '{{what}}', what: '<script>alert(1)</script> & "x"', link })
  expect(letter.subject).toBe('Security settings of your account on <b> Bcc: x changed')
  expect(letter.text).toContain('The security settings of the account {{what}} on')
  expect(letter.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;')
  expect(letter.html).toContain('<a href="http://forge.example.org/?a=%22b%22&amp;c">')
})

describe('while mail is off', () => {
  test.each([
    ['by default', { ENABLED: false }, {}],
    ['offline', {}, { OFFLINE: true }],
  ])('%s, the account is made and nothing waits or leaves', async (_, mailer, network) => {
    await using place = await post(mailer, [], network)
    place.forge.context.mail.start()
    expect(await place.create('ada')).toBe(201)
    await place.send()
    expect([place.waiting(), place.server.connections]).toEqual([0, 0])
    expect(logged.join('').includes('network.OFFLINE is true')).toBe('OFFLINE' in network)
  })

  test('dummy logs, offline too', async () => {
    await using place = await post({ PROTOCOL: 'dummy', SMTP_ADDR: '' }, [], { OFFLINE: true })
    await place.create('ada')
    await place.send()
    expect([place.waiting(), place.server.connections]).toEqual([0, 0])
    expect(logged.join('')).toContain('to="ada@example.org" subject="Your account on localhost:3000"')
  })
})

describe('what fails', () => {
  test('is sent later, with the same Message-ID, and nobody knocks before', async () => {
    await using place = await post()
    const seen: string[] = []
    place.server.answer = ({ raw }) => {
      seen.push(/^Message-ID: (.*)\r$/m.exec(raw)?.[1] ?? '')
      return seen.length < 3 ? refusal(451, 'try again') : undefined
    }
    await place.create('ada')
    for (const [after, attempts] of [
      [0, 1],
      [59, 1],
      [1, 2],
      [119, 2],
      [1, 3],
    ] as const) {
      now += after
      await place.send()
      expect([now, seen.length]).toEqual([now, attempts])
    }
    expect([place.waiting(), place.server.mails.length, new Set(seen).size]).toEqual([0, 1, 1])
  })

  test('for good is not tried again', async () => {
    await using place = await post()
    place.server.answer = () => refusal(554, 'no such person')
    await place.create('ada')
    await place.send()
    expect(place.waiting()).toBe(0)
    expect(logged.join('')).toMatch(/mail rejected.*554/)
  })

  test('with the server keeps all mails back behind one attempt', async () => {
    await using place = await post({}, [{ onConnect: (_, done) => done(refusal(421, 'closed')) }])
    let knocks = 0
    const { mail } = place.forge.context
    for (const name of ['ada', 'bob', 'carl', 'dora']) {
      await place.create(name)
      await mail.sendDue()
    }
    knocks = logged.filter((line) => line.includes('mail delivery failed')).length
    expect([place.waiting(), knocks]).toEqual([4, 1])
    now += 60
    await mail.sendDue()
    expect(logged.filter((line) => line.includes('mail delivery failed')).length).toBe(2)
  })

  test('goes behind what was not tried yet', async () => {
    await using place = await post()
    place.server.answer = ({ to }) => ((to[0] as string).startsWith('ada') ? refusal(450, 'mailbox busy') : undefined)
    await place.create('ada')
    await place.create('bob')
    await place.send()
    expect([place.waiting(), place.server.mails.map(({ to }) => to[0])]).toEqual([1, ['bob@example.org']])
  })

  test('because the sender is refused waits: all mails have the same one', async () => {
    await using place = await post({}, [{ onMailFrom: (_, __, done) => done(refusal(530, 'sign in first')) }])
    await place.create('ada')
    await place.create('bob')
    await place.send()
    expect([place.waiting(), place.server.connections]).toEqual([2, 1])
  })

  test('for three days is given up', async () => {
    await using place = await post()
    place.server.answer = () => refusal(450, 'mailbox busy')
    await place.create('ada')
    let days = 0
    while (place.waiting() > 0 && days < 10) {
      now += 21_600
      days += 0.25
      await place.send()
    }
    expect(days).toBeGreaterThan(2.9)
    expect(days).toBeLessThan(3.6)
    expect(logged.join('')).toContain('dropped after three days')
  })

  test('never puts the password into the log, be it that the server repeats it', async () => {
    const secrets = ['s3cret-canary', btoa('s3cret-canary'), btoa('\0forge\0s3cret-canary')]
    const onAuth = (_: unknown, __: unknown, done: (error: Error) => void) => done(new Error(`no: ${secrets.join(' ')}`))
    await using place = await post({ USER: 'forge', PASSWD: 's3cret-canary' }, [{ authOptional: false, onAuth, allowInsecureAuth: true }])
    await place.create('ada')
    await place.send()
    const log = logged.join('')
    expect([place.waiting(), log.includes('mail delivery failed')]).toEqual([1, true])
    for (const secret of secrets) expect(log).not.toContain(secret)
  })
})

test('no more than SEND_BUFFER_LEN wait; the account of a dropped mail is made all the same', async () => {
  await using place = await post({ SEND_BUFFER_LEN: 2 })
  for (const name of ['ada', 'bob', 'carl']) expect(await place.create(name)).toBe(201)
  expect(place.waiting()).toBe(2)
  expect(logged.join('')).toContain('mail dropped')
})

test('once started it sends by itself what waited and what comes', async () => {
  await using place = await post()
  const arrived = (count: number) => eventually(() => place.server.mails.length >= count, `${count} mails`)
  await place.create('ada')
  place.forge.context.mail.start()
  await arrived(1)
  await place.create('bob')
  await arrived(2)
  await eventually(() => place.waiting() === 0)
  expect(place.server.mails.map(({ to }) => to).sort()).toEqual([['ada@example.org'], ['bob@example.org']])
})

test('a mail server that hangs does not hold up the end for long, and the mail stays', async () => {
  await using place = await post()
  let isThere = false
  place.server.answer = () => {
    isThere = true
    return new Promise(() => {})
  }
  await place.create('ada')
  place.forge.context.mail.start()
  await eventually(() => isThere)
  await stopMail(place)
  expect(place.waiting()).toBe(1)
  expect(logged.join('')).toMatch(/mail delivery failed.*abort/)
})

/** Stops as the server does, which waits two seconds for the mail under way and ends it then. */
async function stopMail({ forge }: Post): Promise<void> {
  const { tasks, mail } = forge.context
  using time = fakeTimers()
  mail.stop()
  let isOver = false
  const stopped = tasks.stop().then(() => {
    isOver = true
  })
  await time.advance(1900)
  expect(isOver).toBe(false)
  while (!isOver) await time.advance(100)
  await stopped
}

describe('protocols', () => {
  test('smtp signs in on this machine', async () => {
    await using place = await post({ USER: 'forge', PASSWD: 'hunter2hunter2' }, [{ authOptional: false, allowInsecureAuth: true }])
    await place.create('ada')
    await place.send()
    expect(place.server.mails.map(({ user, isSecure }) => [user, isSecure])).toEqual([['forge', false]])
  })

  test('smtp+unix reaches a socket', async () => {
    const socket = join(directory, 'smtp.sock')
    await using place = await post({ PROTOCOL: 'smtp+unix', SMTP_ADDR: socket }, [{}, socket])
    await place.create('ada')
    await place.send()
    expect(place.server.mails.length).toBe(1)
  })

  test('sendmail is called without a shell, with the addresses behind --, and is given the message', async () => {
    const path = program('sendmail', 'printf "%s\\n" "$@" > "$0.args"; cat > "$0.message"')
    await using place = await post({ PROTOCOL: 'sendmail', SENDMAIL_PATH: path })
    await place.create('ada', { email: 'ada+$(id);x`id`@example.org'.replace(/[();]/g, '') })
    await place.send()
    expect(place.waiting()).toBe(0)
    expect(readFileSync(`${path}.args`, 'utf8').trim().split('\n')).toEqual(['-i', '-f', 'forge@example.org', '--', 'ada+$idx`id`@example.org'])
    const message = readFileSync(`${path}.message`, 'utf8')
    expect(message).toContain('Subject: Your account on localhost:3000\n')
    expect(message).toContain('Auto-Submitted: auto-generated\n')
    expect(message).not.toContain('\r')
  })

  test('a sendmail that fails leaves the mail waiting, and what it complained of in the log', async () => {
    const path = program('failing', 'cat > /dev/null; echo "no space left in the queue" >&2; exit 75')
    await using place = await post({ PROTOCOL: 'sendmail', SENDMAIL_PATH: path })
    await place.create('ada')
    await place.send()
    expect(place.waiting()).toBe(1)
    expect(logged.join('')).toMatch(/mail delivery failed.*exited with 75: no space left in the queue/)
  })

  test('a sendmail that hangs is killed at the end, with the mail waiting', async () => {
    const path = program('hanging', 'touch "$0.began"; sleep 1000')
    await using place = await post({ PROTOCOL: 'sendmail', SENDMAIL_PATH: path })
    await place.create('ada')
    place.forge.context.mail.start()
    await eventually(() => existsSync(`${path}.began`))
    await stopMail(place)
    expect(place.waiting()).toBe(1)
  })

  test.each([
    ['smtps', { secure: true }],
    ['smtp+starttls', { hideSTARTTLS: false }],
  ])('%s does not send to a server whose certificate is not trusted', async (PROTOCOL, options) => {
    await using place = await post({ PROTOCOL, SMTP_ADDR: 'localhost' }, [options])
    await place.create('ada')
    await place.send()
    expect([place.waiting(), place.server.mails.length]).toEqual([1, 0])
    expect(logged.join('')).toMatch(/certificate|self.signed/i)
  })

  test('smtp+starttls does not send to a server that cannot encrypt', async () => {
    await using place = await post({ PROTOCOL: 'smtp+starttls' }, [{ disabledCommands: ['STARTTLS'] }])
    await place.create('ada')
    await place.send()
    expect([place.waiting(), place.server.mails.length]).toEqual([1, 0])
  })
})

/** A script that stands in for a program. @returns its path */
function program(name: string, script: string): string {
  const path = join(directory, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}
