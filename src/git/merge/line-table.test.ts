import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { type Lines, LineTable } from './line-table.ts'

/** The lines of a file, with their breaks, as anybody would cut them. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function textsOf({ data, starts, count }: Lines): string[] {
  return Array.from({ length: count }, (_, i) => Buffer.from(data.subarray(starts[i], starts[i + 1])).toString('latin1'))
}

function someText(random: Random, lines: number): string {
  const kinds = ['\n', 'a\n', 'b\n', 'a\r\n', ' a\n', 'a \n', '\0\n', 'longer than the others by far\n', '\xff\n']
  const body = Array.from({ length: lines }, () => (random.chance(0.2) ? `${random.below(500)}\n` : random.pick(kinds))).join('')
  return random.chance(0.3) ? `${body}no line break` : body
}

function edited(random: Random, text: string): string {
  const lines = linesOf(text)
  for (let edits = random.below(4); edits > 0; edits--)
    lines.splice(random.below(lines.length + 1), random.skewed(5), ...linesOf(someText(random, random.skewed(5))))
  return lines.join('')
}

const split = (table: LineTable, text: string, like?: Lines) => table.split(Buffer.from(text, 'latin1'), like)

describe('lines', () => {
  test.each([
    ['', []],
    ['\n', ['\n']],
    ['a', ['a']],
    ['a\n', ['a\n']],
    ['a\nb', ['a\n', 'b']],
    ['\n\n\n', ['\n', '\n', '\n']],
    ['a\r\nb\rc', ['a\r\n', 'b\rc']],
    ['\na', ['\n', 'a']],
  ])('of %j are %j, and are found again next to any other', (text, expected) => {
    for (const other of ['', text, 'a', 'a\n', '\n', `${text}\n`, `x\n${text}`, `${text}x`]) {
      const table = new LineTable()
      const first = split(table, other)
      expect(textsOf(split(table, text, first))).toEqual([...expected])
    }
  })

  property('have one number exactly where they are equal, whether or not files share their ends', 200, (random) => {
    const table = new LineTable()
    const base = someText(random, random.skewed(60))
    const first = split(table, base)
    const texts = [base, edited(random, base), edited(random, base), someText(random, 5)]
    const files = [first, ...texts.slice(1).map((text) => split(table, text, first))]
    const numberOf = new Map<string, number>()
    for (const [i, file] of files.entries()) {
      expect(textsOf(file)).toEqual(linesOf(texts[i] as string))
      expect(file.starts[file.count]).toBe(file.data.length)
      for (const [at, line] of textsOf(file).entries()) {
        const number = file.ids[at] as number
        expect([line, number]).toEqual([line, numberOf.get(line) ?? number])
        expect(number).toBeLessThan(table.size)
        numberOf.set(line, number)
      }
    }
    expect(new Set(numberOf.values()).size).toBe(numberOf.size)
  })

  test('keep their numbers when there are so many that the table grows several times', () => {
    const table = new LineTable()
    const many = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`)
    const first = split(table, many.join(''))
    expect(new Set(first.ids).size).toBe(20_000)
    const back = split(table, many.toReversed().join(''))
    expect([...back.ids].reverse()).toEqual([...first.ids])
    expect(table.size).toBe(20_000)
  })

  test('of a file of one enormous line and of none at all are counted right', () => {
    const table = new LineTable()
    const long = split(table, 'x'.repeat(1_000_000))
    expect([long.count, long.starts[1]]).toEqual([1, 1_000_000])
    const none = split(table, '', long)
    expect([none.count, none.starts[0]]).toEqual([0, 0])
  })

  test('beyond four million are over the limit', () => {
    const table = new LineTable()
    expect(() => table.split(Buffer.alloc(4_000_001, '\n'))).toThrow('more than 4000000 lines')
    expect(table.split(Buffer.alloc(4_000_000, '\n')).count).toBe(4_000_000)
  })
})
