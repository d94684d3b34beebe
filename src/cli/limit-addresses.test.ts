import { expect, test } from 'bun:test'
import { limitAddresses } from './limit-addresses.ts'

const from = (address: string) => ({ requestIP: () => ({ address, family: 'IPv4' as const, port: 1 }) })
const request = new Request('http://localhost/')

test('an address with as many requests under way as it may have waits; others and this machine do not', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const ask = limitAddresses(() => promise, 2)
  const first = [ask(request, from('10.0.0.1')), ask(request, from('::ffff:10.0.0.1'))]
  expect((await ask(request, from('10.0.0.1'))).status).toBe(503)
  const others = [ask(request, from('10.0.0.2')), ask(request, from('127.0.0.1')), ask(request, from('127.0.0.1')), ask(request, from('127.0.0.1'))]
  resolve(new Response('done'))
  for (const answer of [...first, ...others]) expect((await answer).status).toBe(200)
  expect((await ask(request, from('10.0.0.1'))).status).toBe(200)
})

test('a git answer counts until it has ended or been given up, and arrives as it was', async () => {
  const stream = () => new Response(new Blob(['pack']).stream(), { headers: { 'Content-Type': 'application/x-git-upload-pack-result' } })
  const ask = limitAddresses(stream, 1)
  const answer = await ask(request, from('10.0.0.1'))
  expect((await ask(request, from('10.0.0.1'))).status).toBe(503)
  expect(await answer.text()).toBe('pack')
  const second = await ask(request, from('10.0.0.1'))
  expect(second.headers.get('content-type')).toBe('application/x-git-upload-pack-result')
  await second.body?.cancel()
  expect((await ask(request, from('10.0.0.1'))).status).toBe(200)
})

test('a request that fails does not count any more', async () => {
  const ask = limitAddresses(() => Promise.reject(new Error('broken')), 1)
  for (let i = 0; i < 3; i++) await expect(ask(request, from('10.0.0.1'))).rejects.toThrow('broken')
})
