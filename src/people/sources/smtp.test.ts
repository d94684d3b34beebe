import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { makeConfig } from '#config.ts'
import { outcome } from '../../../test/outcome.ts'
import { certificate, certificateKey } from './certificate.fixture.ts'
import { defaults, type SmtpConfig } from './config.ts'
import { signInBySmtp } from './smtp.ts'

/** Programs beside the tests take their time on a busy machine. */
setDefaultTimeout(30_000)

interface MailServer extends AsyncDisposable {
  port: number
  /** What was tried, in order. */
  tried: string[]
  /** What clients called themselves. */
  greetings: string[]
  config: Partial<SmtpConfig>
}

/** A mail server at which Ada has the password `secret`. */
async function mailServer(options: SMTPServerOptions = {}, refusal: { responseCode?: number; message?: string } = {}): Promise<MailServer> {
  const it = { tried: [] as string[], greetings: [] as string[] }
  const server = new SMTPServer({
    key: certificateKey,
    cert: certificate,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    authMethods: ['PLAIN', 'LOGIN', 'CRAM-MD5'],
    onAuth(auth, session, done) {
      it.tried.push(`${auth.method} ${auth.username} ${session.secure ? 'secure' : 'clear'}`)
      it.greetings.push(String(session.hostNameAppearsAs))
      const isRight = auth.username?.startsWith('ada') && (auth.validatePassword?.('secret') || auth.password === 'secret')
      if (isRight) return done(null, { user: auth.username as string })
      done(Object.assign(new Error(refusal.message ?? 'Wrong'), { responseCode: refusal.responseCode ?? 535 }))
    },
    ...options,
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  const config = { host: '127.0.0.1', port, tls_ca: certificate }
  return { ...it, port, config, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

const ask = (config: Partial<SmtpConfig>, name = 'ada@corp.example', password = 'secret', ms = 15_000) =>
  signInBySmtp(makeConfig('/data'), { ...defaults.smtp, ...config }, name, password, AbortSignal.timeout(ms))

test.each(['PLAIN', 'LOGIN', 'CRAM-MD5'] as const)('%s under TLS lets in who has the password, and nobody else', async (auth_type) => {
  await using server = await mailServer()
  const found = { loginName: 'ada@corp.example', name: 'ada', email: 'ada@corp.example' }
  expect(await ask({ ...server.config, auth_type })).toEqual(found)
  expect(await ask({ ...server.config, auth_type }, 'ada@corp.example', 'wrong')).toBeUndefined()
  expect(await ask({ ...server.config, auth_type }, 'bob@corp.example')).toBeUndefined()
  expect(server.tried[0]).toBe(`${auth_type === 'CRAM-MD5' ? 'CRAM-MD5' : auth_type} ada@corp.example secure`)
})

test.each([
  [535, 'Username and Password not accepted'],
  [534, '5.7.9 Application-specific password required'],
])('an answer of %d %s is a wrong password', async (responseCode, message) => {
  await using server = await mailServer({}, { responseCode, message })
  expect(await ask(server.config, 'bob@corp.example')).toBeUndefined()
})

test('another answer is trouble of the server', async () => {
  await using server = await mailServer({}, { responseCode: 454, message: 'Temporary authentication failure' })
  expect(await outcome(ask(server.config, 'bob@corp.example'))).toThrow('Temporary authentication failure')
})

describe('TLS', () => {
  test('from the start, with the certificate of that host', async () => {
    await using server = await mailServer({ secure: true })
    const config = { ...server.config, security_protocol: 'smtps' as const }
    expect(await ask(config)).toBeDefined()
    expect(await ask({ ...config, host: 'localhost' })).toBeDefined()
    expect(await ask({ ...config, tls_ca: '', skip_verify: true })).toBeDefined()
    expect(await outcome(ask({ ...config, tls_ca: '' }))).toThrow('self signed certificate')
    expect(server.tried).toHaveLength(3)
  })

  test('that is required and not offered means that no password is sent', async () => {
    await using server = await mailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
    expect(await outcome(ask(server.config))).toThrow()
    expect(server.tried).toEqual([])
    expect(await ask({ ...server.config, security_protocol: 'opportunistic' })).toBeDefined()
    expect(server.tried).toEqual(['PLAIN ada@corp.example clear'])
  })

  test('that is offered is taken, and its failure is not gone around', async () => {
    await using server = await mailServer({ allowInsecureAuth: true })
    expect(await ask({ ...server.config, security_protocol: 'opportunistic' })).toBeDefined()
    expect(await outcome(ask({ ...server.config, security_protocol: 'opportunistic', tls_ca: '' }))).toThrow('self signed certificate')
    expect(await ask({ ...server.config, security_protocol: 'unencrypted' })).toBeDefined()
    expect(server.tried).toEqual(['PLAIN ada@corp.example secure', 'PLAIN ada@corp.example clear'])
  })
})

test.each([
  ['', 'ada', true],
  ['corp.example', 'ada@corp.example', true],
  ['other.example, Corp.Example', 'ada@CORP.example', true],
  ['corp.example', 'ada', false],
  ['corp.example', 'ada@evil.example', false],
  ['corp.example', 'ada@corp.example@evil.example', false],
  ['corp.example', 'ada@corp.example.evil.example', false],
  ['corp.example', '@corp.example', false],
])('where %j may sign in, %s: %j', async (allowed_domains, name, isLetIn) => {
  await using server = await mailServer()
  expect((await ask({ ...server.config, allowed_domains }, name)) !== undefined).toBe(isLetIn)
  expect(server.tried).toHaveLength(isLetIn ? 1 : 0)
})

test('it is greeted by the name that is set', async () => {
  await using server = await mailServer()
  await ask({ ...server.config, helo_hostname: 'forge.corp.example' })
  await ask({ ...server.config, helo_hostname: 'forge.corp.example', disable_helo: true })
  expect(server.greetings).toEqual(['forge.corp.example', 'localhost'])
})

test('a server that says nothing is given up in time', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  expect(await outcome(ask({ host: '127.0.0.1', port }, 'ada', 'secret', 200))).toThrow('the server did not respond in time')
  server.close()
})
