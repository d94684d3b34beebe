import { expect, test } from 'bun:test'
import { readTable } from './read-table.ts'

const wide = { rows: 100, columns: 10, cells: 1000, cellLength: 20 }
const cellsOf = (text: string, limits = wide) => readTable(text, limits).rows.map(({ cells }) => cells)

const table: [claim: string, text: string, rows: string[][]][] = [
  [
    'cells stand between commas',
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'the last line may have no end',
    'a,b\r\nc,',
    [
      ['a', 'b'],
      ['c', ''],
    ],
  ],
  ['quotes hold commas, line ends and quotes', '"a,""b""","c\nd"\n', [['a,"b"', 'c\nd']]],
  ['what follows a quote belongs to its cell', '"a"b,c', [['ab', 'c']]],
  ['a quote within a cell is one', 'a "b",c', [['a "b"', 'c']]],
  ['a quote that is not closed holds the rest', 'x,"a,b\nc', [['x', 'a,b\nc']]],
  ['an empty line is a row of an empty cell', 'a\n\nb', [['a'], [''], ['b']]],
  [
    'semicolons, tabs and bars do as well',
    'a;b\nc;1,5',
    [
      ['a', 'b'],
      ['c', '1,5'],
    ],
  ],
]
test.each(table)('%s', (_, text, rows) => {
  expect(cellsOf(text)).toEqual(rows)
})

test('what of a row goes beyond the columns hides no row, whatever stands between quotes there', () => {
  expect(readTable('a,b,"c\n""d"\ne,f\n', { ...wide, columns: 1 })).toEqual({
    rows: [
      { line: 1, cells: ['a'] },
      { line: 3, cells: ['e'] },
    ],
    isCut: true,
  })
})

test('rows, columns, cells and their length are bounded, and so is what is read', () => {
  expect(readTable('a\n'.repeat(5), { ...wide, rows: 2 })).toEqual({
    rows: [
      { line: 1, cells: ['a'] },
      { line: 2, cells: ['a'] },
    ],
    isCut: true,
  })
  expect(readTable('a,b,c\nd\n', { ...wide, columns: 2 })).toMatchObject({ rows: [{ cells: ['a', 'b'] }, { cells: ['d'] }], isCut: true })
  expect(readTable('a,b\n'.repeat(5), { ...wide, cells: 4 }).rows).toHaveLength(2)
  expect(cellsOf('x'.repeat(50))).toEqual([[`${'x'.repeat(20)}…`]])
  for (const hostile of ['"', '""', '"a"b', ',"', '\n"'].map((part) => part.repeat(300_000)))
    expect(readTable(hostile, wide).rows.length).toBeLessThanOrEqual(100)
})
