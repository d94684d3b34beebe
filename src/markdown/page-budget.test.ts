import { expect, test } from 'bun:test'
import { stopwatch } from '../../test/stopwatch.ts'
import { MAX_HTML } from './bounds.ts'
import { PageBudget } from './page-budget.ts'

test('what does not fit takes no room from what does', () => {
  const budget = new PageBudget()
  const lengths = [MAX_HTML / 2, MAX_HTML, MAX_HTML / 2, 1]
  expect(lengths.map((length) => budget.fits('x'.repeat(length)))).toEqual([true, false, true, false])
})

test('texts of a page take together as long as one may, also those that are refused', async () => {
  let now = 0
  using _clock = stopwatch(() => now)
  const budget = new PageBudget()
  const work = async (milliseconds: number, isRefused: boolean) => {
    now += milliseconds
    if (isRefused) throw new Error('too much')
  }
  const has = []
  for (const isRefused of [false, true, true]) {
    await budget.timed(() => work(2000, isRefused)).catch(() => {})
    has.push(budget.hasTime)
  }
  expect(has).toEqual([true, true, false])
})
