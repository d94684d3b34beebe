import { expect, test } from 'bun:test'
import { Unprocessable } from '#kernel/errors.ts'
import { outcome } from '../../test/outcome.ts'
import { RenderedBefore } from './rendered-before.ts'

const job = (text: string, names: string[] = []) => ({
  text,
  keepsLineBreaks: false,
  rootUrl: 'http://localhost/',
  place: {} as never,
  known: { names: new Set(names), teams: new Set(''), commits: new Set(''), trackers: new Set(''), histories: new Set('') },
})

test('a text is rendered once for all who may be told the same of it', async () => {
  const before = new RenderedBefore()
  let count = 0
  const ask = (one: ReturnType<typeof job>) => before.answer(one, async () => ({ html: String(++count) }))
  const together = await Promise.all([ask(job('a')), ask(job('a'))])
  expect([...together, await ask(job('a'))].map(({ html }) => html)).toEqual(['1', '1', '1'])
  expect((await ask(job('a', ['ada']))).html).toBe('2')
  expect((await ask(job('b'))).html).toBe('3')
})

test('what took too long is not tried again at once', async () => {
  const before = new RenderedBefore()
  let count = 0
  const ask = () =>
    before.answer(job('slow'), () => {
      count++
      return Promise.reject(new Unprocessable('it takes too long'))
    })
  for (const _ of [1, 2, 3]) expect(await ask().catch((error: Error) => error.message)).toBe('it takes too long')
  expect(count).toBe(1)
})

test('what failed is tried again, and what is too large to be kept pushes out nothing', async () => {
  const before = new RenderedBefore()
  expect(await outcome(before.answer(job('a'), () => Promise.reject(new Error('no'))))).toThrow('no')
  expect((await before.answer(job('a'), async () => ({ html: 'yes' }))).html).toBe('yes')
  await before.answer(job('b'), async () => ({ html: 'x'.repeat(9 * 1024 * 1024) }))
  expect((await before.answer(job('a'), async () => ({ html: 'again' }))).html).toBe('yes')
})
