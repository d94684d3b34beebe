import { expect, test } from 'bun:test'
import { KeptWork } from './kept-work.ts'

test('work is done once for all who ask for it, together or later, and again when it failed', async () => {
  const kept = new KeptWork<string>(100, (text) => text.length)
  let count = 0
  const work = async () => {
    count++
    await Bun.sleep(1)
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
