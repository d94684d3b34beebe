import { expect, test } from 'bun:test'
import { indexed } from './search-words.ts'

const words = (count: number, word: (i: number) => string) => Array.from({ length: count }, (_, i) => word(i)).join(' ')
const count = (text: string) => text.split(' ').filter((word) => word !== '').length

test('the index takes all of a text as people write it, and the beginning of one with very many words', () => {
  const long = words(15_000, (i) => `word${i % 3000}`)
  expect(indexed(long)).toBe(long)
  expect(count(indexed(words(30_000, (i) => `w${i}`)))).toBe(4000)
  expect(count(indexed(words(100_000, (i) => `${i % 9}`)))).toBe(20_000)
  expect(count(indexed(Array.from({ length: 9000 }, (_, i) => String.fromCharCode(0x4e00 + i)).join('')))).toBe(4000)
})
