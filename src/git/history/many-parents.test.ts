import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../../../test/git-fixture.ts'
import { MapStore } from '../../../test/map-store.ts'
import { idOf, makeCommit, makeTree } from '../../../test/pack-builder.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import type { Oid } from '../objects/oid.ts'
import { finish } from '../steps.ts'
import { aheadBehindSteps } from './ahead-behind.ts'
import { blame } from './blame.ts'
import { findSoundCommitGraph } from './commit-graph.ts'
import { CommitSource } from './commit-source.ts'
import { Lanes } from './lanes.ts'
import { lastCommits } from './last-commits.ts'
import { ancestorSteps, mergeBaseSteps } from './merge-base.ts'
import { pathHistory } from './path-history.ts'
import { countCommits, listCommits } from './walk.ts'
import { writeCommitGraph } from './write-commit-graph.ts'

/**
 * A commit that names its parent a million times is some hundred kilobytes of a pack, and git takes it. Who pushes one must not keep the repository
 * from being looked after, nor its pages from being shown.
 */

const PARENTS = soak(50_000, 200_000)
const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const store = new MapStore()

function add(type: 'blob' | 'tree' | 'commit', data: string | Uint8Array): Oid {
  const oid = idOf(type, data) as Oid
  store.objects.set(oid, { type, data: Buffer.from(data) })
  return oid
}

const treeOf = (text: string) => add('tree', makeTree([['100644', 'file', add('blob', text)]]))
const first = add('commit', makeCommit(treeOf('one\n')))
const many = add('commit', makeCommit(treeOf('one\ntwo\n'), new Array<string>(PARENTS).fill(first), 'many\n'))
const above = add('commit', makeCommit(treeOf('one\ntwo\n'), new Array<string>(PARENTS).fill(many), 'above\n'))
const beside = add('commit', makeCommit(treeOf('one\n'), [first], 'beside\n'))
const last = add('commit', makeCommit(treeOf('one\ntwo\n'), [many], 'last\n'))

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(items)
}

const source = () => new CommitSource(store, undefined)
const namesOf = (from: CommitSource, ids: Iterable<number>) => Array.from(ids, (id) => from.oid(id))

const operations: [name: string, act: () => unknown, answer: unknown][] = [
  ['is an ancestor of what stands on it', () => finish(ancestorSteps(source(), first, last)), true],
  ['has its parent for a base', () => finish(mergeBaseSteps(source(), first, last)), [first]],
  ['is counted once', () => finish(countCommits(source(), { include: [last] })), 3],
  ['is one ahead of its parent', () => finish(aheadBehindSteps(source(), many, first)), { ahead: 1, behind: 0 }],
  [
    'is left out with another that names it as often',
    () => {
      const from = source()
      return namesOf(from, finish(listCommits(from, { include: [beside], exclude: [above] })))
    },
    [beside],
  ],
  [
    'is one line of a graph, before its parent',
    () => {
      const [from, lanes] = [source(), new Lanes(8)]
      return finish(listCommits(from, { include: [last], order: 'topo' })).map((id) => [from.oid(id), lanes.place(id, from.parents(id)).out])
    },
    [
      [last, [0]],
      [many, [0]],
      [first, []],
    ],
  ],
  [
    'is the change of the file that it changed',
    async () => {
      const from = source()
      return namesOf(from, await all(pathHistory(from, { include: [last], path: 'file' })))
    },
    [many, first],
  ],
  ['is the last that touched the file', async () => (await lastCommits(source(), last, '')).get('file'), many],
  ['is blamed for its line', async () => (await blame(source(), last, 'file')).groups.map(({ commit }) => commit), [first, many]],
]

describe('a commit that names its parent a million times', () => {
  test.each(operations)(
    '%s',
    async (_, act, answer) => {
      expect(await act()).toEqual(answer)
    },
    PATIENCE,
  )

  test(
    'is written into a commit-graph, and read from it',
    async () => {
      mkdirSync(join(root.path, 'info'))
      const path = join(root.path, 'info', 'commit-graph')
      expect(await writeCommitGraph(store, [last], path)).toEqual({ commits: 3, added: 3 })
      const graph = findSoundCommitGraph(path, store.format)
      const from = new CommitSource(store, graph)
      expect([from.parents(from.idOf(many)).length, finish(ancestorSteps(from, first, last))]).toEqual([PARENTS, true])
    },
    PATIENCE,
  )
})
