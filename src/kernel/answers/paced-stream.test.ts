import { expect, test } from 'bun:test'
import { turns } from '../../../test/eventually.ts'
import { fakeTimers } from '../../../test/fake-timers.ts'
import { outcome, rejection } from '../../../test/outcome.ts'
import { bareContext } from '../bare-context.fixture.ts'
import { AnswerMemory } from './answer-memory.ts'
import { type Connections, pacedStream } from './paced-stream.ts'

const MIB = 1024 * 1024

const contextWith = (PROGRESS_SECONDS: number, REQUEST_SECONDS = 60) =>
  bareContext({ server: { ANSWER_MEMORY: 2 * MIB, PROGRESS_SECONDS }, git: { REQUEST_SECONDS } })

const peer = (cut: string[] = []) => {
  const server: Connections = { timeout: (_, seconds) => void cut.push(`closed in ${seconds} s`) }
  return { request: new Request('http://localhost/'), server }
}

/** Pieces without end; says what was taken of them. */
function endless(told: { pieces: number; cancelled: number }): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull(controller) {
        told.pieces++
        controller.enqueue(new Uint8Array(1000))
      },
      cancel: () => void told.cancelled++,
    },
    { highWaterMark: 0 },
  )
}

test('a stream holds its memory until it is read, given up, or fails', async () => {
  const context = contextWith(60)
  const memory = context.services.get(AnswerMemory)
  const failing = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error('broken')) })
  const ends: [ReadableStream<Uint8Array>, (body: ReadableStream<Uint8Array>) => Promise<unknown>][] = [
    [new Blob(['whole']).stream(), (body) => new Response(body).text()],
    [endless({ pieces: 0, cancelled: 0 }), (body) => body.cancel()],
    [failing, (body) => new Response(body).text().catch(() => {})],
  ]
  for (const [source, end] of ends) {
    const first = await memory.enter('stream')
    const body = await pacedStream(context, source, peer())
    const waiting = memory.enter('stream')
    let isIn = false
    void waiting.then(() => (isIn = true))
    await turns(3)
    expect(isIn).toBe(false)
    await end(body)
    const second = await waiting
    for (const room of [first, second]) room.leave()
  }
})

test('nothing is read of what nobody takes, which is cut off, and its source given up', async () => {
  const [told, cut] = [{ pieces: 0, cancelled: 0 }, [] as string[]]
  using time = fakeTimers()
  const body = await pacedStream(contextWith(1), endless(told), peer(cut))
  await time.advance(900)
  expect([told, cut]).toEqual([{ pieces: 0, cancelled: 0 }, []])
  await time.advance(200)
  expect([told, cut]).toEqual([{ pieces: 0, cancelled: 1 }, ['closed in 1 s']])
  expect(await outcome(new Response(body).text())).toThrow()
})

test('a stream that is read all along ends at the deadline of requests', async () => {
  const [told, cut] = [{ pieces: 0, cancelled: 0 }, [] as string[]]
  using time = fakeTimers()
  const reader = (await pacedStream(contextWith(60, 1), endless(told), peer(cut))).getReader()
  for (let pieces = 0; pieces < 9; pieces++) {
    expect((await reader.read()).value?.length).toBe(1000)
    await time.advance(100)
  }
  expect([told.cancelled, cut]).toEqual([0, []])
  await time.advance(100)
  expect(await rejection(reader.read())).toBeUndefined()
  expect([told.cancelled, cut]).toEqual([1, ['closed in 1 s']])
})

test('what breaks a stream off is told once, and its reader that it is not whole', async () => {
  const told: unknown[] = []
  const context = { ...contextWith(60), answerBroke: (error: unknown) => void told.push(error) }
  const why = new Error('an object is lost')
  let pieces = 0
  const source = new ReadableStream<Uint8Array>({ pull: (controller) => (pieces++ < 3 ? controller.enqueue(new Uint8Array(1000)) : Promise.reject(why)) })
  const body = await pacedStream(context, source, peer())
  expect(await rejection(new Response(body).bytes())).toBeUndefined()
  expect(told).toEqual([why])
})

test('a reader that gives up is no fault of ours', async () => {
  const told: unknown[] = []
  const context = { ...contextWith(60), answerBroke: (error: unknown) => void told.push(error) }
  const { promise, reject } = Promise.withResolvers<void>()
  const source = new ReadableStream<Uint8Array>({ pull: () => promise, cancel: () => reject(new Error('given up')) })
  const reader = (await pacedStream(context, source, peer())).getReader()
  const first = reader.read()
  await reader.cancel()
  expect([await first, told]).toEqual([{ done: true, value: undefined }, []])
})

test('others have their turn while a reader takes all that there is, however fast', async () => {
  const body = await pacedStream(contextWith(60), endless({ pieces: 0, cancelled: 0 }), peer())
  const reader = body.getReader()
  let hasTurn = false
  setImmediate(() => (hasTurn = true))
  let pieces = 0
  while (!hasTurn && pieces < 200_000) {
    await reader.read()
    pieces++
  }
  await reader.cancel()
  expect(hasTurn).toBe(true)
})
