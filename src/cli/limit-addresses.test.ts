import { expect, test } from 'bun:test'
import { ClientAddresses } from '#access/index.ts'
import { makeConfig } from '#config.ts'
import { pacedStream } from '#kernel/answers/paced-stream.ts'
import { silentLog } from '#kernel/log.ts'
import { testContext } from '../../test/harness.ts'
import { outcome } from '../../test/outcome.ts'
import { type Fetch, limitAddresses } from './limit-addresses.ts'

/** Asks from addresses of a network in which 10.9.9.9 is a trusted proxy. */
function limited(answer: Fetch, most: number) {
  const clients = new ClientAddresses(makeConfig('/nowhere', { security: { REVERSE_PROXY_TRUSTED_PROXIES: ['10.9.9.9'] } }), silentLog)
  const ask = limitAddresses(answer, most, clients)
  return (address: string, forwarded?: string) => {
    clients.server = { requestIP: () => ({ address, family: 'IPv4', port: 1 }) }
    return ask(new Request('http://localhost/', { headers: forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded } }))
  }
}

test('an address with as many requests under way as it may have waits; others and this machine do not', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const ask = limited(() => promise, 2)
  const first = [ask('10.0.0.1'), ask('::ffff:10.0.0.1')]
  expect((await ask('10.0.0.1')).status).toBe(503)
  const others = [ask('10.0.0.2'), ask('127.0.0.1'), ask('127.0.0.1'), ask('127.0.0.1')]
  resolve(new Response('done'))
  for (const answer of [...first, ...others]) expect((await answer).status).toBe(200)
  expect((await ask('10.0.0.1')).status).toBe(200)
})

test('a git answer counts until it has ended or been given up, and arrives as it was', async () => {
  const stream = () => new Response(new Blob(['pack']).stream(), { headers: { 'Content-Type': 'application/x-git-upload-pack-result' } })
  const ask = limited(stream, 1)
  const answer = await ask('10.0.0.1')
  expect((await ask('10.0.0.1')).status).toBe(503)
  expect(await answer.text()).toBe('pack')
  const second = await ask('10.0.0.1')
  expect(second.headers.get('content-type')).toBe('application/x-git-upload-pack-result')
  await second.body?.cancel()
  expect((await ask('10.0.0.1')).status).toBe(200)
})

test('a request that fails does not count any more', async () => {
  const ask = limited(() => Promise.reject(new Error('broken')), 1)
  for (let i = 0; i < 3; i++) expect(await outcome(ask('10.0.0.1'))).toThrow('broken')
})

test('behind a trusted proxy each client is counted for itself; others name whom they like in vain', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const ask = limited(() => promise, 1)
  const first = [ask('10.9.9.9', '198.51.100.1'), ask('10.9.9.9', '198.51.100.2'), ask('10.0.0.1', '198.51.100.3')]
  expect((await ask('10.9.9.9', '203.0.113.7, 198.51.100.1')).status).toBe(503)
  expect((await ask('10.0.0.1', '198.51.100.4')).status).toBe(503)
  resolve(new Response('done'))
  for (const answer of first) expect((await answer).status).toBe(200)
})

test('addresses of one IPv6 network count as one', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const ask = limited(() => promise, 1)
  const first = [ask('2001:db8::1'), ask('2001:db8:0:1::1')]
  expect((await ask('2001:db8::2')).status).toBe(503)
  resolve(new Response('done'))
  for (const answer of first) expect((await answer).status).toBe(200)
})

test('a large file counts until it has ended or been given up, and keeps its length', async () => {
  await using context = testContext()
  const ask = limited(async (request) => {
    const body = await pacedStream(context, new Blob(['large']).stream(), { request, server: null })
    return new Response(body, { headers: { 'Content-Type': 'text/plain', 'Content-Length': '5' } })
  }, 1)
  const answer = await ask('10.0.0.1')
  expect((await ask('10.0.0.1')).status).toBe(503)
  expect(answer.headers.get('content-length')).toBe('5')
  expect(await answer.text()).toBe('large')
  await (await ask('10.0.0.1')).body?.cancel()
  expect((await ask('10.0.0.1')).status).toBe(200)
})
