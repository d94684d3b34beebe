import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { awake } from '#kernel/breathe.ts'
import { Random } from '../../../test/generate-history.ts'
import { temporaryDirectory } from '../../../test/git-fixture.ts'
import { PATIENCE, shuffled } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { stopwatch } from '../../../test/stopwatch.ts'
import { finish } from '../steps.ts'
import { kindOf } from '../store/contract.ts'
import { diffLines, type LineDiffOptions } from './line-diff.ts'
import { markEdit, roughRoot } from './myers.ts'

/**
 * Texts so unlike one another that the shortest edit would cost too much: git then cuts where a search has come far, and so do we, at the
 * same line. Who reads a review must not see other lines than in a terminal.
 */

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const files = [join(root.path, 'before'), join(root.path, 'after')] as const

/** The heads of git's hunks without context. */
function gitChanges(before: string, after: string, ...options: string[]): string[] {
  writeFileSync(files[0], before)
  writeFileSync(files[1], after)
  const args = ['-c', 'diff.indentHeuristic=true', 'diff', '--no-index', '--no-color', '-U0', ...options, ...files]
  const ran = Bun.spawnSync(['git', ...args], { env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' } })
  if (ran.exitCode > 1) throw new Error(ran.stderr.toString())
  return Array.from(ran.stdout.toString('latin1').matchAll(/^@@ (-\S+ \+\S+) @@/gm), ([, ranges]) => ranges as string)
}

const range = (start: number, count: number) => `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`

function ourChanges(before: string, after: string, options: LineDiffOptions = {}): string[] {
  const { changes } = finish(diffLines(Buffer.from(before, 'latin1'), Buffer.from(after, 'latin1'), options))
  return changes.map(({ oldStart, oldCount, newStart, newCount }) => `-${range(oldStart, oldCount)} +${range(newStart, newCount)}`)
}

/** Lines out of few kinds, so that each stands in many places: nothing tells them apart but their order. */
const fewKinds = (random: Random, count: number, kinds: number) => Array.from({ length: count }, () => `${random.below(kinds)}`)
const runOf = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name} ${i}`)
const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`

const pairs: [name: string, make: (random: Random) => [string[], string[]]][] = [
  ['two kinds of line at random', (random) => [fewKinds(random, 1500, 2), fewKinds(random, 1500, 2)]],
  ['five kinds of line at random', (random) => [fewKinds(random, 2000, 5), fewKinds(random, 1700, 5)]],
  ['forty kinds of line at random, much more on one side', (random) => [fewKinds(random, 800, 40), fewKinds(random, 4000, 40)]],
  ['the same, the other way round', (random) => [fewKinds(random, 4000, 40), fewKinds(random, 800, 40)]],
  [
    'long stretches that both have, in another order, between noise',
    (random) => {
      const stretches = Array.from({ length: 12 }, (_, i) => runOf(`stretch ${i}`, 21 + random.below(60)))
      const noisy = (parts: string[][]) => parts.flatMap((part) => [...fewKinds(random, 150, 6), ...part])
      return [noisy(stretches), noisy(shuffled(random, stretches))]
    },
  ],
  [
    'stretches just too short, just long enough, and longer than what is a run to git',
    (random) => {
      const parts = [19, 20, 21, 22, 41].flatMap((length) => [runOf(`of ${length}`, length), runOf(`again ${length}`, length)])
      const noisy = () => parts.flatMap((part) => [...fewKinds(random, 300, 4), ...part])
      return [noisy(), noisy()]
    },
  ],
  [
    'all lines shuffled',
    (random) => {
      const lines = Array.from({ length: 1200 }, (_, i) => `line ${i % 300}`)
      return [lines, shuffled(random, lines)]
    },
  ],
  [
    'a long stretch at the one’s beginning and the other’s end',
    (random) => {
      const run = runOf('moved', 400)
      return [
        [...run, ...fewKinds(random, 1200, 8)],
        [...fewKinds(random, 1200, 8), ...run],
      ]
    },
  ],
  [
    'the cost at which git gives up, and one less and one more',
    (random) => {
      const part = (lines: number) => fewKinds(random, lines, 3)
      return [
        [...part(255), 'a', ...part(256), 'b', ...part(257)],
        [...part(255), 'a', ...part(256), 'b', ...part(257)],
      ]
    },
  ],
]

/** Only in so long texts a search goes on for longer than it takes git to look for a place that is good enough. */
const long: typeof pairs = [
  [
    'among stretches that both have',
    (random) => {
      const stretches = Array.from({ length: 60 }, (_, i) => runOf(`stretch ${i}`, random.pick([18, 19, 20, 21, 22, 23, 60, 300])))
      const noisy = () => stretches.flatMap((part) => [...fewKinds(random, 500 + random.below(200), 7), ...part])
      return [noisy(), noisy()]
    },
  ],
  [
    'among stretches of lines that come again and again',
    (random) => {
      const part = fewKinds(random, 40, 9)
      const noisy = () =>
        Array.from({ length: 90 }, () => [...fewKinds(random, 300 + random.below(150), 9), ...part.slice(0, random.pick([19, 20, 21, 40]))]).flat()
      return [noisy(), noisy()]
    },
  ],
  [
    'where much is gone from the one’s beginning and the other’s end',
    (random) => {
      const both = Array.from({ length: 70 }, (_, i) => [...fewKinds(random, 300, 5), ...runOf(`mark ${i}`, 25)]).flat()
      const worn = (lines: string[]) => lines.flatMap((line) => (random.chance(0.35) ? [`${random.below(5)}`] : random.chance(0.1) ? [] : [line]))
      return [worn([...fewKinds(random, 14_000, 5), ...both]), worn([...both, ...fewKinds(random, 14_000, 5)])]
    },
  ],
]

describe('texts with little in common have git’s changes:', () => {
  test.each(pairs)(
    '%s',
    (_, make) => {
      for (let seed = 1; seed <= soak(2, 4); seed++) {
        const [before, after] = make(new Random(seed)).map(textOf) as [string, string]
        const [ours, gits] = [ourChanges(before, after), gitChanges(before, after)]
        if (ours.join() !== gits.join())
          throw new Error(`seed ${seed}: ${ours.length} changes, git has ${gits.length}; first unlike: ${firstUnlike(ours, gits)}`)
      }
    },
    PATIENCE,
  )

  test.each(long)(
    'tens of thousands of lines, %s',
    (_, make) => {
      for (let seed = 1; seed <= soak(1, 2); seed++) {
        const [before, after] = make(new Random(seed)).map(textOf) as [string, string]
        expect(before.split('\n').length + after.split('\n').length).toBeGreaterThan(65_536)
        const [ours, gits] = [ourChanges(before, after), gitChanges(before, after)]
        if (ours.join() !== gits.join())
          throw new Error(`seed ${seed}: ${ours.length} changes, git has ${gits.length}; first unlike: ${firstUnlike(ours, gits)}`)
      }
    },
    PATIENCE,
  )

  test(
    'also where the shortest is asked for, whatever it costs',
    () => {
      for (const [, make] of pairs) {
        const [before, after] = make(new Random(7)).map((lines) => textOf(lines.slice(0, 900))) as [string, string]
        expect(ourChanges(before, after, { minimal: true })).toEqual(gitChanges(before, after, '--minimal'))
      }
    },
    PATIENCE,
  )
})

function firstUnlike(ours: readonly string[], gits: readonly string[]): string {
  const at = ours.findIndex((one, i) => one !== gits[i])
  return `${ours[at]} and ${gits[at]}`
}

describe('what a comparison may cost', () => {
  const numbers = (length: number, kinds: number, seed: number) => {
    const random = new Random(seed)
    return Int32Array.from({ length }, () => random.below(kinds))
  }
  const mark = (left: number, isMinimal: boolean) => {
    const [a, b] = [numbers(3000, 3, 1), numbers(3000, 3, 2)]
    const effort = { left }
    finish(markEdit(a, b, new Uint8Array(a.length), new Uint8Array(b.length), isMinimal, effort))
    return left - effort.left
  }

  test('is what it says: exactly enough does, one step less is refused', () => {
    const spent = mark(1e9, false)
    expect(mark(spent, false)).toBe(spent)
    expect(kindOf(() => mark(spent - 1, false))).toBe('limit')
  })

  test('is bounded where the shortest edit is not asked for', () => {
    expect(mark(1e9, false)).toBeLessThan(mark(1e9, true) / 2)
  })

  test.each([
    [0, 1],
    [1, 2],
    [3, 2],
    [4, 4],
    [15, 4],
    [16, 8],
    [65_536, 512],
    [262_143, 512],
    [262_144, 1024],
  ])('of %d the rough root is %d', (n, root) => expect(roughRoot(n)).toBe(root))
})

test('a long comparison comes in steps, and one that is over at once in none', () => {
  const stepsOf = (lines: number, kinds: number, millisecondsPerLook: number) => {
    const random = new Random(lines)
    const text = () => Buffer.from(Array.from({ length: lines }, () => `${random.below(kinds)}\n`).join(''))
    const steps = diffLines(text(), text(), { minimal: true })
    let now = 0
    using _clock = stopwatch(() => (now += millisecondsPerLook))
    awake()
    let count = 0
    while (!steps.next().done) count++
    return count
  }
  expect(stepsOf(5000, 1000, 1)).toBeGreaterThan(20)
  expect(stepsOf(5, 10, 0)).toBe(0)
})
