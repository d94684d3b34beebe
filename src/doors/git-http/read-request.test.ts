import { expect, test } from 'bun:test'
import { AnswerMemory } from '#kernel/answers/answer-memory.ts'
import { TooSlow } from '#kernel/pace.ts'
import { turns } from '../../../test/eventually.ts'
import { rejection } from '../../../test/outcome.ts'
import { type HeldRequest, readRequest } from './read-request.ts'

const KiB = 1024
/** Room for 1 MiB of large requests, each of 256 KiB at most; who sends nothing is waited for 0.05 seconds when others wait. */
const memory = (PROGRESS_SECONDS = 0.3) => new AnswerMemory({ config: { server: { ANSWER_MEMORY: 8192 * KiB, PROGRESS_SECONDS, PROGRESS_BYTES: 1 } } })

async function* body(kibibytes: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < kibibytes; i++) yield new Uint8Array(KiB)
}

/** Sends some, and then nothing more. */
async function* stuck(kibibytes: number): AsyncGenerator<Uint8Array> {
  yield* body(kibibytes)
  await new Promise(() => {})
}

const lengths = ({ pieces }: HeldRequest) => pieces.map(({ length }) => length / KiB)

test('large requests wait for their turn, and as many are read as there is memory for what they are', async () => {
  const shared = memory(60)
  let [open, most] = [0, 0]
  const answer = async () => {
    const { pieces, room } = await readRequest(body(200), shared)
    most = Math.max(most, ++open)
    await turns(3)
    open--
    room?.leave()
    return pieces.reduce((sum, { length }) => sum + length, 0) / KiB
  }
  expect(await Promise.all(Array.from({ length: 20 }, answer))).toEqual(Array.from({ length: 20 }, () => 200))
  expect([open, most]).toEqual([0, 4])
})

test('small requests are read however many there are, and whoever finds no room for a large one in time is told to come again', async () => {
  const shared = memory(0.1)
  const held = [1, 2, 3, 4].map(() => readRequest(body(256), shared))
  const rooms = (await Promise.all(held)).map(({ room }) => room)
  expect(lengths(await readRequest(body(64), shared))).toEqual([64])
  expect(await rejection(readRequest(body(65), shared))).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  for (const room of [...rooms, ...rooms]) room?.leave()
  expect(lengths(await readRequest(body(256), shared))).toEqual([64, 64, 64, 64])
})

test('a request larger than one may be is refused for good, and holds nothing', async () => {
  const shared = memory()
  for (let i = 0; i < 5; i++) expect(await rejection(readRequest(body(257), shared))).toMatchObject({ kind: 'limit' })
  expect(lengths(await readRequest(body(256), shared))).toEqual([64, 64, 64, 64])
})

test('who stops in the middle of a large request is cut off when others wait', async () => {
  const shared = memory()
  const silent = [1, 2, 3, 4].map(() => readRequest(stuck(130), shared).catch((error: unknown) => error))
  expect(lengths(await readRequest(body(65), shared))).toEqual([64, 1])
  expect(await Promise.race(silent)).toBeInstanceOf(TooSlow)
})
