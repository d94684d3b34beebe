import { expect, test } from 'bun:test'
import { replaceLines } from './replace-lines.ts'

const replaced = (text: string, ...changes: [first: number, last: number, lines: string[]][]) =>
  Buffer.from(
    replaceLines(
      Buffer.from(text, 'latin1'),
      changes.map(([first, last, lines]) => ({ first, last, lines })),
    ),
  ).toString('latin1')

test.each<[string, string, [number, number, string[]][], string]>([
  ['one line by another', 'a\nb\nc\n', [[2, 2, ['B']]], 'a\nB\nc\n'],
  ['one line by several', 'a\nb\nc\n', [[2, 2, ['B', '', 'b']]], 'a\nB\n\nb\nc\n'],
  ['several lines by one', 'a\nb\nc\n', [[1, 2, ['ab']]], 'ab\nc\n'],
  ['a line by nothing', 'a\nb\nc\n', [[2, 2, []]], 'a\nc\n'],
  ['a line by an empty one', 'a\nb\n', [[1, 1, ['']]], '\nb\n'],
  ['all of it by nothing', 'a\nb', [[1, 2, []]], ''],
  ['a last line without a line break', 'a\nb', [[2, 2, ['x', 'y']]], 'a\nx\ny'],
  ['a last line without a line break, by nothing', 'a\nb', [[2, 2, []]], 'a\n'],
  ['the only line, without a line break', 'a', [[1, 1, ['x', 'y']]], 'x\ny'],
  ['lines that end in CRLF', 'a\r\nb\r\nc\r\n', [[2, 2, ['x', 'y']]], 'a\r\nx\r\ny\r\nc\r\n'],
  ['a last line without one after CRLF', 'a\r\nb', [[2, 2, ['x', 'y']]], 'a\r\nx\r\ny'],
  ['bytes that are no UTF-8 beside it', '\xff\nb\n\xfe\n', [[2, 2, ['x']]], '\xff\nx\n\xfe\n'],
  [
    'several places, named in any order',
    'a\nb\nc\nd\n',
    [
      [4, 4, ['D']],
      [1, 1, []],
      [2, 3, ['BC']],
    ],
    'BC\nD\n',
  ],
])('%s is replaced', (_, text, changes, expected) => {
  expect(replaced(text, ...changes)).toBe(expected)
})

test('lines that are not there, and two changes of one line, are refused', () => {
  expect(() => replaced('a\nb\n', [3, 3, ['x']])).toThrow('there are no lines 3 to 3')
  expect(() => replaced('', [1, 1, ['x']])).toThrow('there are no lines 1 to 1')
  expect(() => replaced('a\nb\n', [0, 1, ['x']])).toThrow('there are no lines')
  expect(() => replaced('a\nb\nc\n', [1, 2, ['x']], [2, 3, ['y']])).toThrow('two changes affect line 2')
})
