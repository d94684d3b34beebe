import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { GitError } from '../errors.ts'
import { finish } from '../steps.ts'
import { type Hunk, hunksOf, linesOf } from './hunks.ts'
import { diffLines, type LineDiff, type LineDiffOptions } from './line-diff.ts'
import { countLines, isBinary, lineStats } from './line-stats.ts'
import type { IgnoredSpace } from './lines.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const text = (data: Uint8Array) => Buffer.from(data).toString('latin1')
const diff = (before: string, after: string, options?: LineDiffOptions) => finish(diffLines(bytes(before), bytes(after), options))

/** Changes as `-2,3 +2,0`: lines counted from 1, as the heads of hunks have them. */
const shown = ({ changes }: LineDiff) => changes.map((change) => `-${change.oldStart + 1},${change.oldCount} +${change.newStart + 1},${change.newCount}`)

function someLines(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => random.pick(['a', 'b', '', ' ', '\t', 'a ', ' a', 'a\r', 'a b', 'a  b', `${random.below(40)}`]))
}

function edited(random: Random, lines: readonly string[]): string[] {
  const out = [...lines]
  for (let edits = random.below(5); edits > 0; edits--) {
    if (random.chance(0.2)) out.splice(random.below(out.length + 1), 0, ...out.slice(random.below(out.length + 1)).slice(0, random.skewed(6)))
    else out.splice(random.below(out.length + 1), random.skewed(4), ...someLines(random, random.skewed(4)))
  }
  return out
}

function pairOf(random: Random, most = 40): [string, string] {
  const base = someLines(random, random.below(most))
  const end = (lines: string[]) => lines.join('\n') + (lines.length > 0 && random.chance(0.85) ? '\n' : '')
  return [end(base), end(edited(random, base))]
}

/** The old text with the changes made. */
function applied({ old, new: now, changes }: LineDiff): string {
  let [out, at] = ['', 0]
  const take = (lines: LineDiff['old'], from: number, to: number) => {
    for (let i = from; i < to; i++) out += text(lines.bytes(i))
  }
  for (const { oldStart, oldCount, newStart, newCount } of changes) {
    take(old, at, oldStart)
    take(now, newStart, newStart + newCount)
    at = oldStart + oldCount
  }
  take(old, at, old.count)
  return out
}

/** How many lines the longest common subsequence of two texts has, by the book. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const line of a) {
    const next = [0]
    for (let j = 0; j < b.length; j++) next.push(line === b[j] ? (row[j] as number) + 1 : Math.max(row[j + 1] as number, next[j] as number))
    row = next
  }
  return row[b.length] as number
}

const cut = (content: string) => content.match(/[^\n]*\n|[^\n]+$/g) ?? []

describe('the changes from one text to another', () => {
  test.each<[string, string, string, string[]]>([
    ['none', 'a\nb\n', 'a\nb\n', []],
    ['of nothing to nothing', '', '', []],
    ['of nothing to something', '', 'a\n', ['-1,0 +1,1']],
    ['of something to nothing', 'a\nb\n', '', ['-1,2 +1,0']],
    ['in one line', 'a\nb\nc\n', 'a\nX\nc\n', ['-2,1 +2,1']],
    ['at the start', 'a\nb\n', 'X\na\nb\n', ['-1,0 +1,1']],
    ['at the end', 'a\nb\n', 'a\nb\nX\n', ['-3,0 +3,1']],
    ['of the last line break', 'a\nb', 'a\nb\n', ['-2,1 +2,1']],
    ['of a line break of another system', 'a\r\nb\n', 'a\nb\n', ['-1,1 +1,1']],
    ['of all lines', 'a\nb\n', 'c\nd\n', ['-1,2 +1,2']],
    ['of a repeated line, at its last place', 'a\na\na\n', 'a\na\n', ['-3,1 +3,0']],
    ['of a block that was moved', '1\n2\n3\n4\n5\n', '4\n5\n1\n2\n3\n', ['-1,0 +1,2', '-4,2 +6,0']],
    ['in two places', 'a\nb\nc\nd\ne\n', 'X\nb\nc\nd\nY\n', ['-1,1 +1,1', '-5,1 +5,1']],
    ['that look like the line above, below the function they belong to', 'f {\n}\n\nh {\n}\n', 'f {\n}\n\ng {\n}\n\nh {\n}\n', ['-4,0 +4,3']],
  ])('%s', (_, before, after, expected) => {
    expect(shown(diff(before, after))).toEqual(expected)
  })

  property('make the new text of the old one, both ways, and never touch each other', 200, (random) => {
    const [before, after] = pairOf(random)
    for (const minimal of [false, true]) {
      const there = diff(before, after, { minimal })
      expect(applied(there)).toBe(after)
      expect(applied(diff(after, before, { minimal }))).toBe(before)
      for (const [i, change] of there.changes.slice(1).entries()) {
        const last = there.changes[i] as LineDiff['changes'][0]
        expect(change.oldStart).toBeGreaterThan(last.oldStart + last.oldCount)
        expect(change.oldStart - last.oldStart - last.oldCount).toBe(change.newStart - last.newStart - last.newCount)
      }
    }
  })

  property('are the fewest there can be where that is asked for', 150, (random) => {
    const [before, after] = pairOf(random, 60)
    const { additions, deletions } = countLines(diff(before, after, { minimal: true }))
    const [a, b] = [cut(before), cut(after)]
    const common = longestCommon(a, b)
    expect([deletions, additions]).toEqual([a.length - common, b.length - common])
  })

  const spaces: [IgnoredSpace, (line: string) => string][] = [
    ['all', (line) => line.replace(/[ \t\r\n]/g, '')],
    ['change', (line) => line.replace(/[ \t\r\n]+$/, '').replace(/[ \t\r]+/g, ' ')],
    ['at-eol', (line) => line.replace(/[ \t\r\n]+$/, '')],
    ['cr-at-eol', (line) => line.replace(/\r?\n$/, '')],
  ]
  for (const [ignoredSpace, without] of spaces) {
    property(`leave out lines that differ in nothing but blanks: ${ignoredSpace}`, 100, (random) => {
      const [before, after] = pairOf(random)
      const found = diff(before, after, { ignoredSpace, minimal: true })
      let [oldAt, newAt] = [0, 0]
      for (const change of [...found.changes, { oldStart: found.old.count, oldCount: 0, newStart: found.new.count, newCount: 0 }]) {
        expect(change.oldStart - oldAt).toBe(change.newStart - newAt)
        for (; oldAt < change.oldStart; oldAt++, newAt++) expect(without(text(found.new.bytes(newAt)))).toBe(without(text(found.old.bytes(oldAt))))
        oldAt += change.oldCount
        newAt += change.newCount
      }
      const [a, b] = [cut(before).map(without), cut(after).map(without)]
      expect(countLines(found).deletions).toBe(a.length - longestCommon(a, b))
    })
  }

  test('that take more work than they may are refused, and counted as everything', () => {
    const noise = (step: number) => Array.from({ length: 3000 }, (_, i) => `${(i * step) % 2999}\n`).join('')
    expect(() => diff(noise(7), noise(1009), { effort: 1000 })).toThrow(GitError)
    expect(finish(lineStats(bytes(noise(7)), bytes(noise(1009)), { effort: 1000 }))).toEqual({ additions: 3000, deletions: 3000 })
  })
})

describe('hunks', () => {
  const heads = (found: LineDiff, options = {}) =>
    [...hunksOf(found, options)].map(({ oldStart, oldEnd, newStart, newEnd }) => `-${oldStart + 1},${oldEnd - oldStart} +${newStart + 1},${newEnd - newStart}`)
  const numbers = (count: number, changed: readonly number[] = []) =>
    Array.from({ length: count }, (_, i) => `${i + 1}${changed.includes(i + 1) ? 'x' : ''}\n`).join('')

  test.each<[string, number[], object, string[]]>([
    ['with three lines around a change', [10], {}, ['-7,7 +7,7']],
    ['with as many as asked for', [10], { context: 1 }, ['-9,3 +9,3']],
    ['with none', [10], { context: 0 }, ['-10,1 +10,1']],
    ['cut at the beginning', [1], {}, ['-1,4 +1,4']],
    ['cut at the end', [20], {}, ['-17,4 +17,4']],
    ['of all there is', [10], { context: 100 }, ['-1,20 +1,20']],
    ['joined where six lines lie between', [5, 12], {}, ['-2,14 +2,14']],
    ['apart where seven lines lie between', [5, 13], {}, ['-2,7 +2,7', '-10,7 +10,7']],
    ['joined over more lines where that is asked for', [5, 13], { interHunkContext: 1 }, ['-2,15 +2,15']],
    ['without context, joined over lines between', [5, 7], { context: 0, interHunkContext: 1 }, ['-5,3 +5,3']],
  ])('%s', (_, changed, options, expected) => {
    expect(heads(diff(numbers(20), numbers(20, changed)), options)).toEqual(expected)
  })

  property('show every change once, with the lines of both sides numbered right', 150, (random) => {
    const [before, after] = pairOf(random, 80)
    const found = diff(before, after)
    const options = { context: random.below(5), interHunkContext: random.below(3) }
    const [oldLines, newLines] = [cut(before), cut(after)]
    const stats = { additions: 0, deletions: 0 }
    let last: Hunk | undefined
    for (const hunk of hunksOf(found, options)) {
      if (last !== undefined) expect(hunk.oldStart).toBeGreaterThanOrEqual(last.oldEnd)
      last = hunk
      const lines = [...linesOf(hunk, found)]
      for (const line of lines) {
        if (line.old !== undefined) expect(oldLines[line.old - 1]).toBe(text(line.bytes))
        if (line.new !== undefined) expect(newLines[line.new - 1]).toBe(text(line.bytes))
        if (line.kind === 'added') stats.additions++
        if (line.kind === 'deleted') stats.deletions++
      }
      expect(lines.flatMap(({ old }) => old ?? [])).toEqual(Array.from({ length: hunk.oldEnd - hunk.oldStart }, (_, i) => hunk.oldStart + 1 + i))
      expect(lines.flatMap((line) => line.new ?? [])).toEqual(Array.from({ length: hunk.newEnd - hunk.newStart }, (_, i) => hunk.newStart + 1 + i))
    }
    expect(stats).toEqual(countLines(found))
  })
})

describe('binary', () => {
  test.each<[string, Uint8Array, boolean]>([
    ['nothing', Buffer.alloc(0), false],
    ['text', bytes('text\n'), false],
    ['bytes beyond ASCII', bytes('\xff\xfe\x80\n'), false],
    ['a NUL', bytes('\0'), true],
    ['a NUL at byte 8,000', Buffer.concat([Buffer.alloc(7999, 'x'), bytes('\0')]), true],
    ['a NUL behind that', Buffer.concat([Buffer.alloc(8000, 'x'), bytes('\0')]), false],
  ])('%s: %p', (_, data, expected) => {
    expect(isBinary(data)).toBe(expected)
    expect(finish(lineStats(data, bytes('other\n'))).additions > 0).toBe(!expected)
    expect(finish(lineStats(bytes('other\n'), data)).deletions > 0).toBe(!expected)
  })
})
