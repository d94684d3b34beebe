import { expect, test } from 'bun:test'
import { markEdit } from '../diff/myers.ts'
import { finish } from '../steps.ts'
import { WorkBudget } from './work-budget.ts'

test('as many steps as there are can be spent, and not one more', () => {
  const budget = new WorkBudget(1000, 'merge')
  budget.spend(1000)
  expect(() => budget.spend(1)).toThrow('Cannot merge: it needs too much work for one request')
})

test('steps that take longer than they should end all the same', () => {
  const budget = new WorkBudget(1e12, 'merge', -1)
  expect(() => {
    while (budget.left > 9e11) budget.spend(1000)
  }).toThrow('Cannot merge: it takes too long')
})

test('so do those of a comparison within a merge', () => {
  const [a, b] = [Int32Array.from({ length: 20_000 }, (_, i) => i), Int32Array.from({ length: 20_000 }, (_, i) => 20_000 - i)]
  const compare = (budget: WorkBudget) => finish(markEdit(a, b, new Uint8Array(a.length), new Uint8Array(b.length), true, budget))
  expect(() => compare(new WorkBudget(1e12, 'merge', -1))).toThrow('Cannot merge: it takes too long')
})
