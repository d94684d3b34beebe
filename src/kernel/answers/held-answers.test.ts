import { expect, test } from 'bun:test'
import { turns } from '../../../test/eventually.ts'
import { bareContext } from '../bare-context.fixture.ts'
import { AnswerMemory } from './answer-memory.ts'
import { countHeld } from './held-answers.ts'
import { isStreamed } from './paced-stream.ts'

const KIB = 1024

const newContext = () => bareContext({ server: { ANSWER_MEMORY: 2048 * KIB } })
const server = { timeout: () => {} }
const ask = (method = 'GET') => new Request('http://localhost/', { method })

test('a large answer is counted until it is read, and reaches its reader as it was', async () => {
  const context = newContext()
  const text = 'a page '.repeat(40 * KIB)
  const counted = await countHeld(context, ask(), new Response(text, { status: 201, headers: { 'X-Mark': 'yes' } }), server)
  expect([counted.status, counted.headers.get('x-mark'), counted.headers.get('content-length')]).toEqual([201, 'yes', String(text.length)])
  const memory = context.services.get(AnswerMemory)
  let isIn = false
  const next = memory.enter('whole', 640 * KIB).then((room) => {
    isIn = true
    return room
  })
  await turns(3)
  expect(isIn).toBe(false)
  expect(await counted.text()).toBe(text)
  ;(await next).leave()
})

test.each<[string, () => [Request, Response], string]>([
  ['a small one', () => [ask(), new Response('small')], 'small'],
  ['one without a body', () => [ask(), new Response(null, { status: 304 })], ''],
  ['one that answers a HEAD', () => [ask('HEAD'), new Response('x'.repeat(100 * KIB))], 'x'.repeat(100 * KIB)],
  [
    'one that says how long it is',
    () => [ask(), new Response('y'.repeat(100 * KIB), { headers: { 'Content-Length': String(100 * KIB) } })],
    'y'.repeat(100 * KIB),
  ],
])('%s is not, and stays as it is', async (_, make, text) => {
  const [request, response] = make()
  const { status } = response
  const passed = await countHeld(newContext(), request, response, server)
  expect([passed.status, await passed.text(), isStreamed(request)]).toEqual([status, text, false])
})

test.each<[string, () => Response]>([
  ['a text', () => new Response('x'.repeat(100))],
  ['bytes', () => new Response(new Uint8Array(30 * KIB))],
  ['JSON', () => Response.json({ text: 'x'.repeat(100) }, { headers: { 'X-Mark': 'a mark '.repeat(KIB) } })],
])('%s that is short passes without being read', async (_, make) => {
  const answer = make()
  expect(await countHeld(newContext(), ask(), answer, server)).toBe(answer)
})

test.each<[string, () => Response]>([
  ['bytes', () => new Response(new Uint8Array(64 * KIB))],
  ['a text that is twice as long when it is sent', () => new Response('é'.repeat(32 * KIB))],
  ['the body of another answer', () => new Response(new Response('x'.repeat(64 * KIB)).body, { statusText: 'A text of its own' })],
])('%s of 64 KiB are counted', async (_, make) => {
  const request = ask()
  const counted = await countHeld(newContext(), request, make(), server)
  expect([isStreamed(request), (await counted.bytes()).length]).toEqual([true, 64 * KIB])
})
