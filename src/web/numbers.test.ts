import { expect, test } from 'bun:test'
import { countText, numberText } from './numbers.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
])('the number %p is shown as %p', (count, text) => expect(numberText(count)).toBe(text))

test('one thing is named in the singular, and several in the plural', () => {
  expect([countText(1, 'commit'), countText(0, 'commit'), countText(1200, 'branch', 'branches')]).toEqual(['1 commit', '0 commits', '1,200 branches'])
})
