import { expect, test } from 'bun:test'
import { settled } from '../../test/fake-timers.ts'
import { breathe, untilAborted } from './breathe.ts'

test('works that breathe at the same time take turns, one in each turn of the event loop', async () => {
  let [turn, isOver] = [0, false]
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const done: [name: string, turn: number][] = []
  const work = async (name: string) => {
    for (let i = 0; i < 2; i++) {
      await breathe()
      done.push([name, turn])
    }
  }
  await Promise.all([work('a'), work('b'), work('c')])
  isOver = true
  expect(done.map(([name]) => name)).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  expect(new Set(done.map(([, at]) => at)).size).toBe(6)
})

test('work that may be aborted ends with its next breath, and no other does', async () => {
  const stop = new AbortController()
  let breaths = 0
  const work = async () => {
    for (; breaths < 10; breaths++) {
      if (breaths === 3) stop.abort(new Error('enough'))
      await breathe()
    }
  }
  expect(await untilAborted(stop.signal, work).catch((error: Error) => error.message)).toBe('enough')
  expect(breaths).toBe(3)
  await work()
  expect(breaths).toBe(10)
})

test('work that has breathed for long shares every other turn with others like it: what is short is soon over', async () => {
  const turns: string[] = []
  const breatheOften = (name: string, times: number) =>
    untilAborted(new AbortController().signal, async () => {
      for (let i = 0; i < times; i++) {
        await breathe()
        turns.push(name)
      }
    })
  const long = Array.from({ length: 10 }, () => breatheOften('long', 60))
  while (turns.length < 250) await settled()
  const from = turns.length
  await breatheOften('short', 10)
  expect(turns.length - from).toBeLessThanOrEqual(22)
  await Promise.all(long)
  expect(turns.length).toBe(610)
})
