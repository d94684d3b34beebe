import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { forgeForStories, story } from './forge.ts'

/** What no client sends, byte by byte: the server refuses it, fails at nothing and does not take a part of it for another request. */

const end = 'Host: x\r\nAccept: text/html\r\nConnection: close\r\n\r\n'
const ask = (line: string, more = '') => `${line} HTTP/1.1\r\n${more}${end}`
const host = (name: string) => `GET /explore/repos HTTP/1.1\r\nHost: ${name}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`
const form = (headers: string, body: string) => `POST /user/login HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n${body}`

const requests: Record<string, string[]> = {
  'a path of odd bytes': ['/\xff\xfe/\x80', '/a b', '/a\0b', '/../../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '//evil.example/x', '/\\evil.example/x'].map(
    (path) => ask(`GET ${path}`),
  ),
  'a file of the server': ['/assets/web/..%2f..%2fetc%2fpasswd', '/avatars/..%2f..%2fpocketforge.db', '/repo-avatars/%2e%2e%2fpocketforge.db'].map((path) =>
    ask(`GET ${path}`),
  ),
  'another server’s address': ['GET https://evil.example/x', 'GET javascript:x', 'GET evil.example:80', 'OPTIONS *', 'CONNECT evil.example:80'].map((line) =>
    ask(line),
  ),
  'a host that is none': ['x:99999999', '[::1', '1.2.3.4.5', 'a:80:90', 'xn--a', 'a/b?c', 'a@b', '"><x-pwn>', '', '\xe9'].map(host),
  'two hosts': [ask('GET /', 'Host: y\r\n')],
  'no method': [ask('G<x-pwn> /'), `${'A'.repeat(5000)} / HTTP/1.1\r\n${end}`],
  'headers that are none': ['X\r\n', 'X: a\rb\r\n', 'X: a\r\n b\r\n', 'X: a\0b\r\n', 'Content-Length : 5\r\n'].map((more) => ask('GET /', more)),
  'very much of them': [ask(`GET /${'a'.repeat(200_000)}`), ask('GET /', `X: ${'a'.repeat(300_000)}\r\n`), ask('GET /', 'X: a\r\n'.repeat(20_000))],
  'two lengths': [
    form('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nGET /x HTTP/1.1\r\nHost: x\r\n\r\n'),
    form('Content-Length: 4\r\nContent-Length: 5\r\n', 'abcde'),
  ],
  'a length that is none': ['-1', '+1', '0x1', '99999999999999999999999'].map((length) => form(`Content-Length: ${length}\r\n`, 'a')),
  'chunks that are none': [
    form('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'),
    ...['zz\r\n\r\n', 'ffffffffffffffffff\r\n', '-1\r\n'].map((body) => form('Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n', body)),
  ],
}

story('a request that no client sends', () => {
  const forge = forgeForStories()

  /** What comes back until the server closes. */
  function send(text: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(Number(new URL(forge.server.origin).port), '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')))
    let told = ''
    socket.on('data', (bytes) => (told += bytes.toString('latin1')))
    socket.on('error', () => {})
    socket.on('close', () => resolve(told))
    return promise
  }

  test.each(Object.entries(requests))('with %s is refused, leaves nothing in the log of what failed, and the server as it was', async (_, texts) => {
    for (const text of texts) {
      const told = await send(text)
      const answers = told.match(/^HTTP\/1\.1 \d+/gm) ?? []
      const asked = text.slice(0, 80)
      expect([asked, answers.length <= 1, /HTTP\/1\.1 (?:[23]|50[0-4])/.test(told) && !/^GET https:/.test(text)]).toEqual([asked, true, false])
      expect(told).not.toContain('<x-pwn')
    }
    await expectUnmoved()
  })

  test('of thousands at once on one connection does not have others wait for the last of them', async () => {
    const asked = 8000
    const { promise, resolve } = Promise.withResolvers<void>()
    let answered = 0
    const socket = connect(Number(new URL(forge.server.origin).port), '127.0.0.1', () => {
      for (let i = 0; i < asked; i++) socket.write(`GET /api/v1/repos/search?q=${i} HTTP/1.1\r\nHost: x\r\n\r\n`)
    })
    socket.on('data', (bytes) => {
      answered += bytes.toString('latin1').match(/HTTP\/1\.1 200/g)?.length ?? 0
      if (answered > asked / 2) resolve()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    await promise
    socket.destroy()
    expect(answered).toBeLessThan(asked / 2)
    await expectUnmoved()
  })

  async function expectUnmoved(): Promise<void> {
    expect((await forge.api('GET /version')).status).toBe(200)
    expect(forge.server.log()).not.toContain('request failed')
  }
})
