import { expect, test } from 'bun:test'
import { Turns } from './turns.ts'

const nextTurn = () => new Promise(setImmediate)

test('what comes after a turn is spent waits for a later one, in the order in which it came', async () => {
  const turns = new Turns(0)
  const done: number[] = []
  expect([turns.isOver(), turns.isOver()]).toEqual([false, true])
  const later = [1, 2].map((n) => turns.later(() => done.push(n)))
  expect(done).toEqual([])
  await Promise.all(later)
  expect(done).toEqual([1, 2])
})

test('who comes while others wait waits behind them', () => {
  const turns = new Turns(60_000)
  expect(turns.isOver()).toBe(false)
  turns.later(() => {})
  expect(turns.isOver()).toBe(true)
})

test('a turn that is not spent answers all that comes, and so does each that follows', async () => {
  const turns = new Turns(60_000)
  expect([turns.isOver(), turns.isOver()]).toEqual([false, false])
  await nextTurn()
  expect([turns.isOver(), turns.isOver()]).toEqual([false, false])
})

test('work that fails fails for who waits for it alone', async () => {
  const turns = new Turns(0)
  turns.isOver()
  const [failed, done] = [
    turns.later(() => {
      throw new Error('no')
    }),
    turns.later(() => 'yes'),
  ]
  expect(await Promise.allSettled([failed, done])).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'yes' }])
})
