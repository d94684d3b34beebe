import { expect, test } from 'bun:test'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { findSuggestions, lineIn, type Suggestion, writeSuggestion } from './suggestions.ts'

const one = (...lines: string[]): Suggestion => ({ above: 0, below: 0, lines })

test.each<[string, string, Suggestion[]]>([
  ['a block', 'Better:\n\n```suggestion\nlet a\n```\nIs it?', [one('let a')]],
  ['several lines', '```suggestion\na\n\n  b\n```', [one('a', '', '  b')]],
  ['an empty block', '```suggestion\n```', [one()]],
  ['a block of an empty line', '```suggestion\n\n```', [one('')]],
  ['lines above and below', '```suggestion:-1+2\na\n```', [{ above: 1, below: 2, lines: ['a'] }]],
  ['two of them', '```suggestion\na\n```\n~~~suggestion\nb\n~~~', [one('a'), one('b')]],
  ['a longer fence with a fence inside', '````suggestion\n```js\na\n```\n````', [one('```js', 'a', '```')]],
  ['CRLF, as browsers send it', '```suggestion\r\na\r\n```\r\n', [one('a')]],
  ['spaces around the word', '```  suggestion \t\na\n```', [one('a')]],
  ['an indented fence', '  ```suggestion\n    a\n b\n  ```', [one('  a', 'b')]],
  ['one that never ends', '```suggestion\na\n', [one('a')]],
  ['another language', '```js\na\n```', []],
  ['a block inside of another', '```md\n~~~suggestion\na\n~~~\n```', []],
  ['one in a quote', '> ```suggestion\n> a\n> ```', []],
  ['code that is indented', '    ```suggestion\n    a\n    ```', []],
  ['words that only begin like it', '```suggestions\na\n```', []],
  ['far too many lines', '```suggestion:-999+999\na\n```', []],
])('%s', (_, body, expected) => {
  expect(findSuggestions(body)).toEqual(expected)
})

test.each([
  ['spaces', `\`\`\` a${' '.repeat(64_000)}b\n\`\`\``],
  ['ticks', `${'`'.repeat(64_000)}\rb`],
])('very many %s in a line cost nothing to speak of', (_, body) => {
  const spent = cpuMeter()
  expect(findSuggestions(body)).toEqual([])
  expect(spent()).toBeLessThan(500)
})

test('what is written is what is found', () => {
  for (const suggestion of [one(), one('a'), one('```', 'x', '````'), { above: 3, below: 0, lines: ['a', ''] }]) {
    expect(findSuggestions(`Before\n\n${writeSuggestion(suggestion)}\n\nAfter`)).toEqual([suggestion])
  }
})

test.each<[string, number | undefined]>([
  ['@@ -1,3 +1,4 @@\n a\n+b', 2],
  ['@@ -7 +9 @@\n a', 9],
  ['@@ -7,2 +9,0 @@\n-a', undefined],
  ['', undefined],
])('the line of %p is %p', (hunk, line) => {
  expect(lineIn(hunk)).toBe(line)
})
