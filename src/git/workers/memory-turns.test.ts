import { expect, test } from 'bun:test'
import { property } from '../../../test/seeds.ts'
import { MemoryTurns } from './memory-turns.ts'

test('all of it is granted to one at a time, in order; who gives up or dies keeps it from nobody', () => {
  const granted: string[] = []
  const turns = new MemoryTurns<string>(10, (holder) => granted.push(holder))
  for (const holder of ['a', 'b', 'c', 'd']) turns.acquire(holder, Number.POSITIVE_INFINITY)
  expect(granted).toEqual(['a'])
  turns.release('b')
  turns.release('nobody')
  expect(granted).toEqual(['a'])
  turns.release('a')
  expect(granted).toEqual(['a', 'c'])
  turns.release('a')
  turns.release('c')
  turns.release('d')
  turns.acquire('e', 10)
  expect(granted).toEqual(['a', 'c', 'd', 'e'])
})

test('parts are granted to several at once, and who asks for much is not passed by others that ask for little', () => {
  const granted: string[] = []
  const turns = new MemoryTurns<string>(10, (holder) => granted.push(holder))
  turns.acquire('a', 4)
  turns.acquire('b', 4)
  turns.acquire('all', 99)
  turns.acquire('c', 1)
  expect(granted).toEqual(['a', 'b'])
  turns.release('a')
  expect(granted).toEqual(['a', 'b'])
  turns.release('b')
  expect(granted).toEqual(['a', 'b', 'all'])
  turns.release('all')
  expect(granted).toEqual(['a', 'b', 'all', 'c'])
})

test('nobody waits for all that somebody else has sent, and who has sent much gets on all the same', () => {
  const granted: string[] = []
  const turns = new MemoryTurns<string>(10, (holder) => granted.push(holder))
  const acquire = (holder: string) => turns.acquire(holder, 10, holder[0])
  const pass = () => turns.release(granted.at(-1) as string)
  for (const holder of ['e1', 'e2', 'e3', 'e4', 'e5', 'b1']) acquire(holder)
  pass()
  expect(granted).toEqual(['e1', 'b1'])
  // Who comes again has not waited longer.
  for (const holder of ['b2', 'b3', 'c1']) acquire(holder)
  for (let rest = 0; rest < 8; rest++) pass()
  expect(granted).toEqual(['e1', 'b1', 'c1', 'e2', 'b2', 'e3', 'b3', 'e4', 'e5'])
  // Of those who were done nothing is remembered.
  acquire('e6')
  acquire('b4')
  acquire('e7')
  acquire('b5')
  for (let rest = 0; rest < 4; rest++) pass()
  expect(granted.slice(-4)).toEqual(['e6', 'b4', 'e7', 'b5'])
})

test('who has it is told once that others wait, and passes it on to come again behind them', () => {
  const granted: string[] = []
  const told: string[] = []
  const turns = new MemoryTurns<string>(
    10,
    (holder) => granted.push(holder),
    (holder) => told.push(holder),
  )
  const acquire = (holder: string) => turns.acquire(holder, 10, holder[0])
  acquire('e1')
  turns.pass('e1')
  turns.pass('nobody')
  expect([granted, told]).toEqual([['e1', 'e1'], []])
  for (const holder of ['e2', 'b1', 'c1']) acquire(holder)
  expect(told).toEqual(['e1'])
  for (const holder of ['e1', 'c1', 'b1']) turns.pass(holder)
  expect(granted.slice(2)).toEqual(['c1', 'b1', 'c1'])
  expect(told).toEqual(['e1', 'c1', 'b1', 'c1'])
  for (const holder of ['c1', 'e2', 'b1', 'e1']) turns.release(holder)
  expect(granted.slice(5)).toEqual(['e2', 'b1', 'e1'])
})

property('there is never more out than there is, and everybody has their turn', 50, (random) => {
  const wanted = new Map<number, number>()
  const out = new Set<number>()
  let served = 0
  const turns = new MemoryTurns<number>(100, (holder) => {
    out.add(holder)
    served++
  })
  for (let holder = 0; holder < 200; holder++) {
    wanted.set(holder, 1 + random.skewed(150))
    turns.acquire(holder, wanted.get(holder) as number)
    expect([...out].reduce((sum, one) => sum + Math.min(100, wanted.get(one) as number), 0)).toBeLessThanOrEqual(100)
    while (random.chance(0.5) && out.size > 0) {
      const one = random.pick([...out])
      out.delete(one)
      if (random.chance(0.3)) {
        served--
        turns.pass(one)
      } else turns.release(one)
    }
  }
  for (let one = [...out][0]; one !== undefined; one = [...out][0]) {
    out.delete(one)
    turns.release(one)
  }
  expect(served).toBe(200)
})
