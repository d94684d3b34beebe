import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type FakeTimers, fakeTimers, settled } from '../../../test/fake-timers.ts'
import { TooSlow } from '../pace.ts'
import { AnswerMemory, type Room } from './answer-memory.ts'

const MIB = 1024 * 1024

let time: FakeTimers
beforeEach(() => {
  time = fakeTimers()
})
afterEach(() => time[Symbol.dispose]())

/** Two streams take all that is theirs; a client that takes nothing is waited for 0.3 seconds, and 0.05 when others wait. */
function smallMemory(PROGRESS_SECONDS = 0.3): AnswerMemory {
  return new AnswerMemory({ config: { server: { ANSWER_MEMORY: 2 * MIB, PROGRESS_SECONDS, PROGRESS_BYTES: 1000 } } })
}

/** Says when it has happened. */
function noted<T>(promise: Promise<T>): { isOver: boolean; error?: unknown; value?: T } {
  const note: { isOver: boolean; error?: unknown; value?: T } = { isOver: false }
  promise.then(
    (value) => Object.assign(note, { isOver: true, value }),
    (error) => Object.assign(note, { isOver: true, error }),
  )
  return note
}

const never = new Promise<void>(() => {})

/** A room whose reader takes nothing: it is left when it is cut off. */
function stall(room: Room): { isOver: boolean; error?: unknown } {
  return noted(room.waitFor(never, 1000).finally(() => room.leave()))
}

test('answers take no more memory together than there is, and further ones their turn', async () => {
  const memory = smallMemory()
  const [first, second] = [await memory.enter('stream'), await memory.enter('stream')]
  const waiting = [noted(memory.enter('stream')), noted(memory.enter('stream'))]
  await settled()
  expect(waiting.map(({ isOver }) => isOver)).toEqual([false, false])
  first.leave()
  first.leave()
  await settled()
  expect(waiting.map(({ isOver }) => isOver)).toEqual([true, false])
  second.leave()
  await settled()
  expect(waiting.map(({ isOver }) => isOver)).toEqual([true, true])
})

test('large answers wait for one another, and no stream for them', async () => {
  const memory = smallMemory()
  const first = await memory.enter('whole', 100 * MIB)
  const second = noted(memory.enter('whole', MIB))
  const stream = await memory.enter('stream')
  await settled()
  expect(second.isOver).toBe(false)
  first.leave()
  await settled()
  expect(second.value).toBeDefined()
  stream.leave()
})

test('who takes nothing is waited for while nobody else needs the memory, and cut off when somebody does, the longest first', async () => {
  const memory = smallMemory()
  const first = stall(await memory.enter('stream'))
  await time.advance(20)
  const second = stall(await memory.enter('stream'))
  await time.advance(60)
  expect([first.isOver, second.isOver]).toEqual([false, false])
  const third = noted(memory.enter('stream'))
  await time.advance(20)
  expect([first.error, second.isOver]).toEqual([expect.any(TooSlow), false])
  third.value?.leave()
  expect(third.value).toBeDefined()
})

test('who takes something now and then is not cut off for others', async () => {
  const memory = smallMemory(3)
  const [busy, idle] = [await memory.enter('stream'), await memory.enter('stream')]
  const stalled = stall(idle)
  const waiting = [memory.enter('stream'), memory.enter('stream')]
  while (!stalled.isOver) await busy.waitFor(time.advance(20), 1000)
  expect(stalled.error).toBeInstanceOf(TooSlow)
  busy.leave()
  await Promise.all(waiting)
})

test('whoever finds no room in time is told to come again, and takes nobody else’s turn', async () => {
  const memory = smallMemory(0.1)
  const [first] = [await memory.enter('stream'), await memory.enter('stream')]
  const refused = noted(memory.enter('stream'))
  await time.advance(60)
  const later = noted(memory.enter('stream'))
  await time.advance(60)
  expect(refused.error).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  first.leave()
  await settled()
  expect(later.value).toBeDefined()
})

test('who is too slow is cut off though nobody waits', async () => {
  const stalled = stall(await smallMemory(0.05).enter('stream'))
  await time.advance(100)
  expect(stalled.error).toBeInstanceOf(TooSlow)
})

test('who is given the next piece as soon as the last is taken, and takes it no more, is cut off as well', async () => {
  const memory = smallMemory()
  const [room, busy] = [await memory.enter('stream'), await memory.enter('stream')]
  const taken = Promise.withResolvers<void>()
  const before = room.waitFor(taken.promise, 1000)
  taken.resolve()
  const stalled = stall(room)
  await before
  const third = memory.enter('stream')
  await time.advance(60)
  expect(stalled.error).toBeInstanceOf(TooSlow)
  for (const one of [busy, await third]) one.leave()
})

test('who comes last need not wait for a crowd that takes nothing', async () => {
  const memory = smallMemory(3)
  const enterAndStall = () => memory.enter('stream').then(stall)
  const crowd = Array.from({ length: 40 }, () => noted(enterAndStall()))
  await settled()
  const last = noted(memory.enter('stream'))
  while (!last.isOver) await time.advance(20)
  last.value?.leave()
  expect(crowd.filter(({ isOver }) => isOver).length).toBeLessThan(20)
})

test('answers that are made hold no more while they wait than those that are read: the longest waiting is refused', async () => {
  const memory = smallMemory(3)
  const all = await memory.enter('whole', MIB)
  const waiting = Array.from({ length: 4 }, () => noted(memory.enterMade(256 * 1024)))
  await settled()
  expect(waiting.map(({ isOver, error }) => (isOver ? (error as { status: number }).status : 'waits'))).toEqual([503, 503, 'waits', 'waits'])
  all.leave()
  await settled()
  expect(waiting.slice(2).map(({ value }) => value)).toEqual([expect.anything(), expect.anything()])
})
