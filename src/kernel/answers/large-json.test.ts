import { expect, test } from 'bun:test'
import { turns } from '../../../test/eventually.ts'
import { outcome } from '../../../test/outcome.ts'
import { bareContext } from '../bare-context.fixture.ts'
import { AnswerMemory } from './answer-memory.ts'
import { LARGE_BYTES, largeJson, largeJsonList } from './large-json.ts'

const MIB = 1024 * 1024

/** An answer of a MiB of content, or more, takes all that large ones may. */
const smallContext = () => bareContext({ server: { ANSWER_MEMORY: 4 * MIB } })
const peer = () => ({ request: new Request('http://localhost/'), server: null })
const content = 'x'.repeat(2 * MIB)

test('a small answer is what it is, and a large one the same as JSON', async () => {
  const context = smallContext()
  expect(await largeJson(context, peer(), LARGE_BYTES - 1, async () => ({ content }))).toEqual({ content })
  const large = (await largeJson(context, peer(), 2 * MIB, async () => ({ content }))) as unknown as Response
  expect(large.headers.get('content-type')).toStartWith('application/json')
  expect(Number(large.headers.get('content-length'))).toBe(2 * MIB + 14)
  expect(await large.json()).toEqual({ content })
})

test('a large answer is not made before the one before it is taken, given up, or could not be made', async () => {
  const context = smallContext()
  let made = 0
  const make = async () => ({ content, number: ++made })
  const ask = () => largeJson(context, peer(), 2 * MIB, make) as unknown as Promise<Response>
  const first = await ask()
  const second = ask()
  await turns(3)
  expect(made).toBe(1)
  await first.json()
  await (await second).body?.cancel()
  expect(await outcome(largeJson(context, peer(), 2 * MIB, () => Promise.reject(new Error('gone'))))).toThrow('gone')
  expect(await (await ask()).json()).toMatchObject({ number: 3 })
})

test('a list of large entries is made as it is taken, and its memory free at its end', async () => {
  const context = smallContext()
  let made = 0
  async function* entries(count: number, bytes: number) {
    for (let i = 0; i < count; i++) {
      made++
      yield ['x'.repeat(bytes)]
    }
  }
  const answer = (await largeJsonList(context, peer(), { largest: 2 * MIB, total: 4 }, entries(4, MIB))) as unknown as Response
  const waiting = context.services.get(AnswerMemory).enter('whole', 2 * MIB)
  expect(made).toBe(1)
  expect((await answer.json()) as string[]).toHaveLength(4)
  ;(await waiting).leave()
  const small = (await largeJsonList(context, peer(), { largest: 2 * MIB, total: 4 }, entries(3, 10))) as unknown as Response
  expect((await small.json()) as string[]).toHaveLength(3)
  ;(await context.services.get(AnswerMemory).enter('whole', 2 * MIB)).leave()
})
