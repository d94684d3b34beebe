import { afterAll, describe, expect, test } from 'bun:test'
import { Random } from '../../../test/generate-history.ts'
import { PATIENCE, shuffled } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { DiskStore } from '../store/disk.ts'
import { gitOutcomes, ManyMerges, ourOutcome, type Triple } from './judged-merges.fixture.ts'

/**
 * Lines that come more than 64 times are no anchors of a histogram diff; where a stretch has no others it is compared in another way. Which
 * lines are then found to have changed decides what conflicts, and what is silently merged, and where.
 */

const file = (lines: readonly string[]) => `100644 ${lines.join('\n')}\n`
const version = (lines: readonly string[]) => ({ file: file(lines) })

/** Few kinds of line, so many of each, in any order. */
function stretch(random: Random, kinds: number, each: number): string[] {
  const lines = ['}', '{', '', 'end'].slice(0, kinds).flatMap((line) => Array.from({ length: each }, () => line))
  return shuffled(random, lines)
}

function edited(random: Random, lines: readonly string[], name: string): string[] {
  const out = [...lines]
  for (let edits = 1 + random.below(4); edits > 0; edits--) {
    const at = random.below(out.length + 1)
    const added = random.chance(0.5) ? [`${name} ${edits}`] : out.slice(random.below(out.length)).slice(0, random.below(4))
    out.splice(at, random.below(4), ...added)
  }
  return out
}

function randomTriple(seed: number): Triple {
  const random = new Random(seed)
  const kinds = 1 + random.below(4)
  const base = stretch(random, kinds, random.pick([20, 62, 63, 64, 65, 66, 67, 130]))
  if (random.chance(0.5)) base.splice(random.below(base.length), 0, 'an anchor')
  return [version(base), version(edited(random, base, 'ours')), version(edited(random, base, 'theirs'))]
}

/** A line is an anchor as long as it comes 64 times at most: so many of one and the same, each side with a change of its own. */
function repeated(count: number): Triple {
  const base = Array.from({ length: count }, () => 'same')
  const third = Math.floor(count / 3)
  return [version(base), version(base.toSpliced(third, 1, 'ours')), version(base.toSpliced(2 * third, 2, 'theirs', 'and more'))]
}

const SEEDS = soak(90, 250)
const counted = [3, 62, 63, 64, 65, 66, 67, 128, 129, 200]
const triples = [...counted.map(repeated), ...Array.from({ length: SEEDS }, (_, i) => randomTriple(i + 1))]
const merges = new ManyMerges(triples)
const store = DiskStore.open(merges.gitDir)
afterAll(() => {
  store.close()
  merges[Symbol.dispose]()
})

describe('files of lines that are everywhere', () => {
  const expected = gitOutcomes(merges.gitDir, merges.pairs)

  test.each(counted.map((count, at) => [count, at] as const))('merge as with git where one line comes %d times', (_, at) => {
    expect(ourOutcome(store, merges.pairs[at] as never)).toEqual(expected[at] as never)
  })

  test(
    'merge as with git, whatever the two sides did',
    () => {
      for (let i = counted.length; i < triples.length; i++) {
        const ours = ourOutcome(store, merges.pairs[i] as never)
        if (ours.tree !== expected[i]?.tree) throw new Error(`seed ${i - counted.length + 1}: ${JSON.stringify(ours)}, git: ${JSON.stringify(expected[i])}`)
      }
    },
    PATIENCE,
  )

  test('conflict in some and not in others of these: both are tried', () => {
    const clean = expected.filter(({ isClean }) => isClean).length
    expect([clean > soak(8, 20), expected.length - clean > soak(8, 20)]).toEqual([true, true])
  })
})
