import { expect, test } from 'bun:test'
import { turns } from '../../test/eventually.ts'
import { stopwatch } from '../../test/stopwatch.ts'
import { Asker, currentAsker, onBehalfOf } from './askers.ts'
import { KeptWork } from './kept-work.ts'

test('work is done once for all who ask for it, together or later, and again when it failed', async () => {
  const kept = new KeptWork<string>(100, (text) => text.length)
  let count = 0
  const work = async () => {
    count++
    await turns()
    if (count === 1) throw new Error('not yet')
    return `made ${count}`
  }
  const together = () => Promise.allSettled(Array.from({ length: 5 }, () => kept.answer('a', work)))
  expect((await together()).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  expect(await together()).toEqual(Array(5).fill({ status: 'fulfilled', value: 'made 2' }))
  expect([await kept.answer('a', work), count]).toEqual(['made 2', 2])
})

test('what was asked for longest ago goes when there is too much, and what is too large alone is not kept', async () => {
  const kept = new KeptWork<string>(10, (text) => text.length)
  const made: string[] = []
  const ask = (key: string, length = 4) =>
    kept.answer(key, async () => {
      made.push(key)
      return 'x'.repeat(length)
    })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(key)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  expect(await ask('large', 11)).toHaveLength(11)
  await ask('large', 11)
  expect(made.slice(4)).toEqual(['large', 'large'])
})

test('work ends when all who wait for it have left, and is begun anew for who asks after that', async () => {
  const kept = new KeptWork<string>(100, (text) => text.length)
  const begun: Asker[] = []
  const done = Promise.withResolvers<string>()
  const ask = (who: AbortController) =>
    onBehalfOf(new Asker(who), () =>
      kept.answer('a', () => {
        begun.push(currentAsker() as Asker)
        return done.promise
      }),
    )
  const people = [new AbortController(), new AbortController(), new AbortController()] as const
  const answers = [ask(people[0]), ask(people[1])]
  people[0].abort()
  expect(begun.map(({ signal }) => signal.aborted)).toEqual([false])
  people[1].abort()
  answers.push(ask(people[2]))
  expect(begun.map(({ signal }) => signal.aborted)).toEqual([true, false])
  done.resolve('made')
  expect(await Promise.all(answers)).toEqual(['made', 'made', 'made'])
  expect(kept.find('a')).toBe('made')
})

test('what comes of work that nobody waits for is not kept: something may have been left out', async () => {
  const kept = new KeptWork<string>(100, (text) => text.length)
  await onBehalfOf(new Asker({ signal: AbortSignal.abort() }), () => kept.answer('a', async () => 'less'))
  expect(kept.find('a')).toBeUndefined()
})

test('what lacks something is made again after many times as long as it took, and what is whole is not', async () => {
  let now = 0
  using _clock = stopwatch(() => now)
  const kept = new KeptWork<string>(
    10,
    (text) => text.length,
    (text) => text !== 'part',
  )
  const ask = (made: string) =>
    kept.answer('a', async () => {
      now += 100
      return made
    })
  expect(await ask('part')).toBe('part')
  now += 2000
  expect([await ask('whole'), kept.find('a')]).toEqual(['part', 'part'])
  now += 1000
  expect(kept.find('a')).toBeUndefined()
  expect(await ask('whole')).toBe('whole')
  now += 1e9
  expect([await ask('other'), kept.find('a')]).toEqual(['whole', 'whole'])
  // What was there in its place takes no room any more.
  await kept.answer('b', async () => 'five.')
  expect(kept.find('a')).toBe('whole')
})

test('those who wait for the same work go on one after the other, with turns for everybody else between them', async () => {
  const kept = new KeptWork<string>(100, (text) => text.length)
  let [turn, isOver] = [0, false]
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  const ask = async () => {
    await kept.answer('a', () => turns().then(() => 'made'))
    return turn
  }
  setImmediate(count)
  const wentOn = await Promise.all(Array.from({ length: 20 }, ask))
  isOver = true
  expect(new Set(wentOn).size).toBeGreaterThanOrEqual(19)
})
