import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { finish } from '../steps.ts'
import { type Choice, type ConflictPart, conflictParts, solveParts } from './conflict-parts.ts'
import { type MergeDriver, mergeContents } from './content-merge.ts'
import { WorkBudget } from './work-budget.ts'

const labels = { base: 'b', ours: 'o', theirs: 't' }
const bytes = (text: string) => Buffer.from(text, 'latin1')
const text = (data: Uint8Array) => Buffer.from(data).toString('latin1')
const contents = (base: string, ours: string, theirs: string) => ({ base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) })
const budget = () => new WorkBudget(1e9, 'merge')

function merged(three: ReturnType<typeof contents>, options: { driver?: MergeDriver; diff3?: boolean; isVirtual?: boolean; markerSize?: number } = {}) {
  const { data, outcome } = finish(mergeContents(three, { driver: 'text', isVirtual: false, markerSize: 7, labels, budget: budget(), ...options }))
  return [outcome, text(data)]
}

function shown(parts: readonly ConflictPart[]): string[] {
  return parts.map((part) => ('same' in part ? text(part.same) : `${text(part.ours)}|${text(part.theirs)}`))
}

/** The file with the markers that a merge writes into it, put together from its parts. */
function marked(parts: readonly ConflictPart[], end: string): string {
  const whole = (data: Uint8Array) => (data.length > 0 && data.at(-1) !== 10 ? `${text(data)}${end}` : text(data))
  const sides = (part: { ours: Uint8Array; theirs: Uint8Array }) => `<<<<<<< o${end}${whole(part.ours)}=======${end}${whole(part.theirs)}>>>>>>> t${end}`
  return parts.map((part) => ('same' in part ? text(part.same) : sides(part))).join('')
}

function someEdits(random: Random, lines: readonly string[]): string[] {
  const out = [...lines]
  for (let edits = random.below(4); edits > 0; edits--) {
    out.splice(random.below(out.length + 1), random.skewed(3), ...Array.from({ length: random.skewed(3) }, () => `${random.below(30)}`))
  }
  return out
}

function threeTexts(random: Random) {
  const base = Array.from({ length: random.below(25) }, () => `${random.below(12)}`)
  const end = (lines: string[]) => lines.join('\n') + (lines.length > 0 && random.chance(0.9) ? '\n' : '')
  return contents(end(base), end(someEdits(random, base)), end(someEdits(random, base)))
}

describe('the parts of a text in conflict', () => {
  test.each([
    ['a change on one side', 'a\nb\n', 'A\nb\n', 'a\nb\n', ['A\nb\n']],
    ['changes far from each other', 'a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n', ['A\nb\nc\nD\n']],
    ['two changes of one line', 'a\nb\nc\n', 'a\nx\nc\n', 'a\ny\nc\n', ['a\n', 'x\n|y\n', 'c\n']],
    ['a conflict at the beginning', 'b\nc\n', 'x\nc\n', 'y\nc\n', ['', 'x\n|y\n', 'c\n']],
    ['a conflict at the end', 'a\nb\n', 'a\nx\n', 'a\ny\n', ['a\n', 'x\n|y\n', '']],
    ['files added on both sides', '', 'x\n', 'y\n', ['', 'x\n|y\n', '']],
    ['a line removed here and changed there', 'a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n', ['a\n', '|B\n', 'c\n']],
    ['equal changes on both sides', 'a\nb\n', 'a\nB\n', 'a\nB\n', ['a\nB\n']],
    ['what only the line break at the end tells apart', 'a', 'a\n', 'b', ['', 'a\n|b', '']],
    [
      'two conflicts with enough between them',
      '1\na\nb\nc\nd\n2\n',
      'x\na\nb\nc\nd\nx\n',
      'y\na\nb\nc\nd\ny\n',
      ['', 'x\n|y\n', 'a\nb\nc\nd\n', 'x\n|y\n', ''],
    ],
  ])('%s', (_, base, ours, theirs, expected) => {
    const three = contents(base, ours, theirs)
    const parts = finish(conflictParts(three, budget()))
    expect(shown(parts)).toEqual(expected)
    expect(merged(three)[0]).toBe(expected.length > 1 ? 'conflict' : 'clean')
  })

  property('are those of the merged file: with markers around them they are it, byte for byte', 400, (random) => {
    const three = threeTexts(random)
    const parts = finish(conflictParts(three, budget()))
    const [outcome, whole] = merged(three)
    expect(marked(parts, '\n')).toBe(whole as string)
    expect(outcome).toBe(parts.length > 1 ? 'conflict' : 'clean')
  })

  property('are ours where ours is chosen everywhere and the other side changed nothing else', 200, (random) => {
    const three = threeTexts(random)
    const alone = finish(conflictParts({ ...three, theirs: three.base }, budget()))
    expect(shown(alone)).toEqual([text(three.ours)])
    const other = finish(conflictParts({ ...three, ours: three.base }, budget()))
    expect(shown(other)).toEqual([text(three.theirs)])
  })

  property('have the same conflicts, turned round, when the sides change places', 200, (random) => {
    const three = threeTexts(random)
    const count = (parts: ConflictPart[]) => parts.filter((part) => 'ours' in part).length > 0
    const turned = { base: three.base, ours: three.theirs, theirs: three.ours }
    expect(count(finish(conflictParts(turned, budget())))).toBe(count(finish(conflictParts(three, budget()))))
  })
})

describe('solved', () => {
  const parts = (...sides: [string, string][]): ConflictPart[] => [
    { same: bytes('top\n') },
    ...sides.flatMap(([ours, theirs]): ConflictPart[] => [{ ours: bytes(ours), theirs: bytes(theirs) }, { same: bytes('-\n') }]),
  ]
  const rows: [string, ConflictPart[], Choice[], string][] = [
    ['with ours', parts(['x\n', 'y\n']), ['ours'], 'top\nx\n-\n'],
    ['with theirs', parts(['x\n', 'y\n']), ['theirs'], 'top\ny\n-\n'],
    ['with both, ours first', parts(['x\n', 'y\n']), ['both'], 'top\nx\ny\n-\n'],
    ['each in its own way', parts(['1\n', '2\n'], ['3\n', '4\n'], ['5\n', '6\n']), ['theirs', 'ours', 'both'], 'top\n2\n-\n3\n-\n5\n6\n-\n'],
    ['with nothing', parts(['x\n', 'y\n']), [{ text: '' }], 'top\n-\n'],
    ['with words of one’s own', parts(['x\n', 'y\n']), [{ text: 'mine\n' }], 'top\nmine\n-\n'],
    ['with words that end without a line break, which are given one', parts(['x\n', 'y\n']), [{ text: 'mine' }], 'top\nmine\n-\n'],
    ['with words whose breaks are those of a form', parts(['x\n', 'y\n']), [{ text: 'a\r\nb\r\n' }], 'top\na\nb\n-\n'],
    ['with words in a file of another system', parts(['x\r\n', 'y\r\n']), [{ text: 'a\nb\r\n' }], 'top\na\r\nb\r\n-\n'],
    ['with a side that is empty', parts(['', 'y\n']), ['ours'], 'top\n-\n'],
    ['with both where ours ends the file without a break', [{ same: bytes('a\n') }, { ours: bytes('x'), theirs: bytes('y') }], ['both'], 'a\nx\ny'],
    ['at the end of the file, which stays without a break', [{ same: bytes('a\n') }, { ours: bytes('x'), theirs: bytes('y\n') }], ['ours'], 'a\nx'],
  ]
  test.each(rows)('%s', (_, given, choices, expected) => {
    expect(text(solveParts(given, choices))).toBe(expected)
  })

  property('with one side throughout, a file that only this side changed is that side’s', 200, (random) => {
    const three = threeTexts(random)
    for (const side of ['ours', 'theirs'] as const) {
      const same = { ...three, [side === 'ours' ? 'theirs' : 'ours']: three[side] }
      expect(text(solveParts(finish(conflictParts(same, budget())), []))).toBe(text(three[side]))
    }
  })
})

describe('contents', () => {
  const clash = contents('a\nb\n', 'a\nx\n', 'a\ny\n')
  const rows: [string, ReturnType<typeof contents>, Parameters<typeof merged>[1], string, string][] = [
    ['are marked where they clash', clash, {}, 'conflict', 'a\n<<<<<<< o\nx\n=======\ny\n>>>>>>> t\n'],
    ['show the base where that is wished', clash, { diff3: true }, 'conflict', 'a\n<<<<<<< o\nx\n||||||| b\nb\n=======\ny\n>>>>>>> t\n'],
    ['have markers as long as asked for', clash, { markerSize: 3 }, 'conflict', 'a\n<<< o\nx\n===\ny\n>>> t\n'],
    ['are put one behind the other by union', clash, { driver: 'union' }, 'clean', 'a\nx\ny\n'],
    ['stay ours where attributes say so', clash, { driver: 'ours' }, 'clean', 'a\nx\n'],
    ['stay ours, in conflict, where attributes call them binary', clash, { driver: 'binary' }, 'binary-conflict', 'a\nx\n'],
    ['stay the base in a merge of merge bases where they are binary', clash, { driver: 'binary', isVirtual: true }, 'clean', 'a\nb\n'],
    ['are binary when one of them has a NUL', contents('a\n', 'b\n', 'c\0\n'), {}, 'binary-conflict', 'b\n'],
    ['are binary when the base has a NUL', contents('a\0\n', 'b\n', 'c\n'), {}, 'binary-conflict', 'b\n'],
    [
      'with line breaks of another system get such markers',
      contents('a\r\n', 'x\r\n', 'y\r\n'),
      {},
      'conflict',
      '<<<<<<< o\r\nx\r\n=======\r\ny\r\n>>>>>>> t\r\n',
    ],
    ['of mixed line breaks get plain markers', contents('a\r\n', 'x\n', 'y\r\n'), {}, 'conflict', '<<<<<<< o\nx\n=======\ny\r\n>>>>>>> t\n'],
    ['without a last line break get one before a marker', contents('a', 'x', 'y'), {}, 'conflict', '<<<<<<< o\nx\n=======\ny\n>>>>>>> t\n'],
    ['without a last line break get one between the two of a union', contents('a', 'x', 'y'), { driver: 'union' }, 'clean', 'x\ny'],
    ['that are empty on one side leave nothing between the markers', contents('a\n', '', 'b\n'), {}, 'conflict', '<<<<<<< o\n=======\nb\n>>>>>>> t\n'],
    [
      'three lines apart conflict in one piece',
      contents('1\na\n2\n', 'x\na\nx\n', 'y\na\ny\n'),
      {},
      'conflict',
      '<<<<<<< o\nx\na\nx\n=======\ny\na\ny\n>>>>>>> t\n',
    ],
  ]
  test.each(rows)('%s', (_, three, options, outcome, expected) => {
    expect(merged(three, options)).toEqual([outcome, expected])
  })

  test('that cost more than there is to spend are refused, however they are made', () => {
    const noise = (start: number) => bytes(Array.from({ length: 4000 }, (_, i) => `${(i * start) % 4001}\n`).join(''))
    const three = { base: noise(1), ours: noise(1234), theirs: noise(3001) }
    const spend = (steps: number) => () =>
      finish(mergeContents(three, { driver: 'text', isVirtual: false, markerSize: 7, labels, budget: new WorkBudget(steps, 'merge') }))
    expect(spend(1_000_000)).toThrow('needs too much work for one request')
    expect(spend(100_000_000)).not.toThrow()
  })
})
