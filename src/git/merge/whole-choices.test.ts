import { expect } from 'bun:test'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree, TREE_MODE } from '../objects/tree.ts'
import { finish } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import { Merger } from './merge-commits.ts'
import { openConflicts } from './open-conflicts.ts'
import { RandomMerges } from './random-merges.fixture.ts'
import { type Solution, solveConflicts } from './solve-conflicts.ts'

const person = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }
const text = { message: 'Merge', author: person, committer: person }

/** The files of the merge that stock git makes, what a choice for each of its unmerged paths leaves of it. */
function judge(merges: RandomMerges, ours: Oid, theirs: Oid, choices: ReadonlyMap<string, 'ours' | 'theirs' | 'neither'>): string[] {
  const output = merges.git(['merge-tree', '--write-tree', '-z', '--allow-unrelated-histories', '--no-messages', ours, theirs]).toString()
  const [tree = '', ...lines] = output.split('\0')
  const files = new Map(
    merges
      .git(['ls-tree', '-r', '-z', tree])
      .toString()
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t')).replace(/ \w+ /, ' ')]),
  )
  const unmerged = lines
    .filter((line) => line.includes('\t'))
    .map((line) => /^(\d+) (\w+) (\d)\t(.*)$/s.exec(line) as unknown as [string, string, string, string, string])
  for (const [, , , , path] of unmerged) files.delete(path)
  for (const [, mode, oid, stage, path] of unmerged) {
    if ((stage === '2' && choices.get(path) === 'ours') || (stage === '3' && choices.get(path) === 'theirs')) files.set(path, `${mode} ${oid}`)
  }
  return [...files].map(([path, what]) => `${what}\t${path}`).toSorted()
}

function filesOf(merger: Merger, tree: Oid, prefix = ''): string[] {
  const found: string[] = []
  for (const { name, mode, oid } of parseTree(merger.store.get(tree, 'tree').data, defaultLimits)) {
    if (mode === TREE_MODE) found.push(...filesOf(merger, oid, `${prefix}${name}/`))
    else found.push(`${mode.toString(8).padStart(6, '0')} ${oid}\t${prefix}${name}`)
  }
  return found
}

property('whatever is in conflict, a side or neither taken of each path leaves what it would leave of the merge of stock git', soak(3, 6), (random, seed) => {
  using merges = new RandomMerges(seed, 60)
  using store = new Closing(DiskStore.open(merges.gitDir))
  let solved = 0
  for (const [ours, theirs] of merges.pairs(60)) {
    const open = tryOpen(store.store, ours, theirs)
    if (open === undefined || open.length === 0 || open[0]?.isDone) continue
    const choices = new Map(open.map(({ path }) => [path, random.pick(['ours', 'theirs', 'neither'] as const)]))
    const solutions = [...choices].map(([path, side]): Solution => ({ path, side }))
    const merger = new Merger(store.store, undefined, { labels: { ours, theirs } })
    const made = finish(solveConflicts(merger, { ours, theirs, solutions }, text))
    if (made.status !== 'done') throw new Error('There was nothing to solve')
    const tree = parseCommit(merger.store.get(made.commit, 'commit').data).tree
    expect(filesOf(merger, tree).toSorted()).toEqual(judge(merges, ours, theirs, choices))
    solved++
  }
  expect(solved).toBeGreaterThan(5)
})

function tryOpen(store: DiskStore, ours: Oid, theirs: Oid) {
  try {
    return finish(openConflicts(new Merger(store, undefined, { labels: { ours, theirs } }), ours, theirs))
  } catch (error) {
    if (error instanceof GitError && (error.kind === 'refused' || error.kind === 'limit')) return undefined
    throw error
  }
}

class Closing {
  readonly store: DiskStore

  constructor(store: DiskStore) {
    this.store = store
  }

  [Symbol.dispose](): void {
    this.store.close()
  }
}
