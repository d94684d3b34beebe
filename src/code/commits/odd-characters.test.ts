import { expect, test } from 'bun:test'
import { oddCharacters, showOddCharacters } from './odd-characters.ts'

test('signs that turn text are shown by their numbers', () => {
  expect(showOddCharacters('a\u202eb')).toBe('a<mark class="odd">U+202E</mark>b')
})

test('of very many on a page the rest turn nothing either, and make it no longer', () => {
  const show = oddCharacters()
  const shown = show('\u202e'.repeat(100)) + show('\u2066'.repeat(300_000))
  expect(shown.match(/<mark/g)).toHaveLength(5000)
  expect(shown).not.toMatch(/[\u202e\u2066]/)
  expect(shown.length).toBeLessThan(500_000)
})
