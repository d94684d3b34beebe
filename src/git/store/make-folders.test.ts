import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '../../../test/git-fixture.ts'
import { checkpointOf } from '../checkpoint.ts'
import { commitGraphPath } from '../history/commit-graph.ts'
import { CommitSource } from '../history/commit-source.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { writeCommitGraph } from '../history/write-commit-graph.ts'
import { defaultLimits } from '../limits.ts'
import { SHA1 } from '../objects/oid.ts'
import { packReachable } from '../packs/write/consolidate.ts'
import { publishPacks } from '../packs/write/publish.ts'
import { writeLooseRefs } from '../refs/write-refs.ts'
import { DiskStore } from './disk.ts'
import { makeFolders } from './make-folders.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

test('folders are made in one that is there, and the highest that is new is told', () => {
  const deep = join(root.path, 'a/b/c')
  expect([makeFolders(root.path, deep), makeFolders(root.path, deep), makeFolders(root.path, `${deep}d/e`)]).toEqual([
    join(root.path, 'a'),
    undefined,
    `${deep}d`,
  ])
  expect(() => makeFolders(join(root.path, 'gone'), join(root.path, 'gone/a'))).toThrow('ENOENT')
})

test('work on a repository that was deleted meanwhile brings nothing of it back', async () => {
  using history = new RandomHistory({ seed: 1, commits: 3, merges: 0, lines: 1 })
  const store = DiskStore.open(history.gitDir)
  const tips = history.oids.slice(-1)
  const gone = join(root.path, 'gone.git')
  const temporary = join(root.path, 'graph')
  const deeds: (() => unknown)[] = [
    () => writeCommitGraph(store, tips, commitGraphPath(gone), { temporary }),
    () => publishPacks([], join(gone, 'objects/pack')),
    () => writeLooseRefs(gone, 'refs.tmp', [{ name: 'refs/heads/a/b', oid: tips[0] ?? SHA1.zero }]),
    () => DiskStore.open(gone).write('blob', Buffer.from('x')),
    () =>
      packReachable(store, new CommitSource(store), { tips, directory: join(gone, 'objects/tmp_upkeep'), limits: defaultLimits, checkpoint: checkpointOf() }),
  ]
  for (const deed of deeds) expect([await (async () => deed())().catch(({ code }) => code), existsSync(gone)]).toEqual(['ENOENT', false])
  store.close()
})
