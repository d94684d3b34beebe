import { expect, setDefaultTimeout, test } from 'bun:test'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { makeConfig } from '#config.ts'
import { turns } from '../../../../test/eventually.ts'
import { outcome } from '../../../../test/outcome.ts'
import { defaults, type LdapConfig } from '../config.ts'
import { signInByLdap } from './sign-in.ts'

/** Programs beside the tests take their time on a busy machine. */
setDefaultTimeout(30_000)

/** Of BER, with a length of one or of three bytes. */
function ber(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const message = (id: number, operation: Buffer) => ber(0x30, Buffer.from([2, 1, id]), operation)
const result = (tag: number, code: number, ...more: Buffer[]) => ber(tag, Buffer.from([0x0a, 1, code]), ber(4), ber(4), ...more)
const bound = (id: number, code = 0) => message(id, result(0x61, code))
const entry = (id: number, dn: string) => message(id, ber(0x64, ber(4, dn), ber(0x30)))
const searched = (id: number, code = 0) => message(id, result(0x65, code))
const startedTls = (code = 0) => message(1, result(0x78, code))

/** A directory that does with each message, whose id it reads, what `answer` says. */
async function directory(answer: (id: number, socket: Socket) => void): Promise<AsyncDisposable & { config: Partial<LdapConfig>; heard: Buffer[] }> {
  const sockets = new Set<Socket>()
  const heard: Buffer[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      heard.push(bytes)
      answer(bytes[4] as number, socket)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const config = {
    security_protocol: 'unencrypted' as const,
    host: '127.0.0.1',
    port,
    user_search_base: 'dc=x',
    user_filter: '(uid=%s)',
    username_attribute: 'uid',
  }
  return {
    config,
    heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const ask = (config: Partial<LdapConfig>, signal = AbortSignal.timeout(60_000)) =>
  signInByLdap(makeConfig('/data'), { ...defaults.ldap, ...config }, 'ada', 'secret', signal)

/** What comes behind the answer would count as said under TLS: here, that every password is right. */
const injected = Buffer.concat([bound(2), bound(3), searched(4)])

test.each<[string, Buffer, string]>([
  ['does not offer it', startedTls(2), 'the server does not support StartTLS'],
  ['puts words behind its answer', Buffer.concat([startedTls(), injected]), 'the server sent additional data before the TLS handshake'],
  ['puts the beginning of one there', Buffer.concat([startedTls(), injected.subarray(0, 5)]), 'the server sent additional data before the TLS handshake'],
  ['agrees and goes on in the clear', startedTls(), ''],
  ['answers something else', bound(1), 'the server does not support StartTLS'],
  ['answers what is no LDAP', Buffer.from('220 smtp.example.org ESMTP\r\n'), ''],
  ['answers without end', Buffer.alloc(4096, 0x30), 'the response to StartTLS is too long'],
])('where StartTLS is asked for, a directory that %s gets no password', async (_, bytes, problem) => {
  await using place = await directory((id, socket) => socket.write(place.heard.length === 1 ? bytes : bound(id)))
  expect(await outcome(ask({ ...place.config, security_protocol: 'starttls' }))).toThrow(`Cannot connect to the LDAP server 127.0.0.1: ${problem}`)
  expect(Buffer.concat(place.heard).includes('secret')).toBe(false)
})

test('one that answers nothing is given up in time, and so is one that closes', async () => {
  for (const [security_protocol, problem] of [
    ['unencrypted', 'LDAP request failed'],
    ['starttls', 'the server did not respond in time'],
    ['ldaps', 'the server did not respond in time'],
  ] as const) {
    // The time is over once it has been asked something.
    const limit = new AbortController()
    await using silent = await directory(() => limit.abort(new DOMException('The time is over', 'TimeoutError')))
    expect(await outcome(ask({ ...silent.config, security_protocol }, limit.signal))).toThrow(problem)
  }
  await using closing = await directory((_, socket) => socket.destroy())
  expect(await outcome(ask(closing.config))).toThrow('LDAP request failed')
  expect(await outcome(ask({ ...closing.config, security_protocol: 'starttls' }))).toThrow('Cannot connect to the LDAP server')
})

test.each<[string, (id: number) => Buffer]>([
  ['a message of two gigabytes', () => Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff])],
  ['what is no LDAP', () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a length without end', () => Buffer.from([0x30, 0x80, 0x01])],
  ['a length of eight bytes', () => Buffer.from([0x30, 0x88, 0, 0, 0, 0, 0, 0, 0, 1])],
  ['an answer to nothing', (id) => message(id, ber(0x7f, Buffer.from([1])))],
  ['an answer with nothing in it', (id) => message(id, ber(0x61))],
  ['a referral', (id) => message(id, result(0x61, 10))],
])('%s is the end of it', async (_, answer) => {
  await using place = await directory((id, socket) => socket.write(answer(id)))
  expect(await outcome(ask(place.config))).toThrow('LDAP request failed')
})

test('thousands of entries in one packet are read one by one', async () => {
  await using place = await directory((id, socket) => {
    socket.write(id === 2 ? bound(id) : Buffer.concat([...Array.from({ length: 20_000 }, (_, i) => entry(id, `uid=${i}`)), searched(id)]))
  })
  expect(await ask(place.config)).toBeUndefined()
})

test('an entry without a name is nobody, though a bind without one succeeds', async () => {
  await using place = await directory((id, socket) => {
    socket.write(id === 3 ? Buffer.concat([entry(id, ''), searched(id)]) : bound(id))
  })
  expect(await ask(place.config)).toBeUndefined()
})

test('a referral among the entries is not followed', async () => {
  await using place = await directory((id, socket) => {
    const elsewhere = message(id, ber(0x73, ber(4, 'ldap://127.0.0.1:1/dc=x')))
    socket.write(id === 2 ? bound(id) : Buffer.concat([elsewhere, searched(id)]))
  })
  expect(await ask(place.config)).toBeUndefined()
})

test('an entry that comes in small pieces is put together', async () => {
  await using place = await directory((id, socket) => {
    const bytes = id === 2 ? bound(id) : Buffer.concat([entry(id, 'uid=a,dc=x'), entry(id, 'uid=b,dc=x'), searched(id)])
    ;(async () => {
      for (const byte of bytes) {
        socket.write(Buffer.from([byte]))
        await turns()
      }
    })()
  })
  expect(await ask(place.config)).toBeUndefined()
})
