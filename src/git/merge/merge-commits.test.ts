import { describe, expect, test } from 'bun:test'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import { type Conflict, Merger, runSteps } from './merge-commits.ts'
import { RandomMerges } from './random-merges.fixture.ts'

/** What a merge comes to, as `git merge-tree` prints it. */
interface Outcome {
  isClean: boolean
  tree: string
  /** Mode, id, stage and path of every version in conflict. */
  stages: string[]
}

/** Git's answers to all pairs, out of one process. */
function gitOutcomes(history: RandomMerges, pairs: readonly [Oid, Oid][], ...settings: string[]): Outcome[] {
  const input = Buffer.from(pairs.map(([ours, theirs]) => `${ours} ${theirs}\n`).join(''))
  const args = [...settings, 'merge-tree', '--write-tree', '--stdin', '--no-messages', '--allow-unrelated-histories']
  const fields = history.git(args, input).toString('latin1').split('\0')
  let at = 0
  return pairs.map(() => {
    const outcome: Outcome = { isClean: fields[at++] === '1', tree: fields[at++] as string, stages: [] }
    while (fields[at] !== '') outcome.stages.push(fields[at++] as string)
    at++
    return outcome
  })
}

function ourOutcome(store: DiskStore, [ours, theirs]: [Oid, Oid], diff3 = false): Outcome {
  const merger = new Merger(store, undefined, { labels: { ours, theirs }, diff3 })
  const { isClean, tree, conflicts } = runSteps(merger.mergeCommits(ours, theirs))
  return { isClean, tree, stages: conflicts.flatMap(stageLines) }
}

function stageLines({ path, rawPath, stages }: Conflict): string[] {
  const name = Buffer.from(rawPath ?? Buffer.from(path)).toString('latin1')
  return stages.map(({ stage, mode, oid }) => `${mode.toString(8).padStart(6, '0')} ${oid} ${stage}\t${name}`)
}

describe('merges of criss-crossing histories full of renames come to what git merge-tree says', () => {
  test.each([1, 2, 3, 4])('seed %d', (seed) => {
    using history = new RandomMerges(seed, 80)
    const pairs = history.pairs(120)
    const expected = gitOutcomes(history, pairs)
    const store = DiskStore.open(history.gitDir)
    const ours = pairs.map((pair) => ourOutcome(store, pair))
    store.close()
    expect(ours).toEqual(expected)
    expect(expected.filter(({ isClean }) => isClean).length).toBeGreaterThan(10)
  })
})
