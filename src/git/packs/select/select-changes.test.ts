import { expect, test } from 'bun:test'
import { checkpointOf } from '../../checkpoint.ts'
import { CommitSource } from '../../history/commit-source.ts'
import { defaultLimits } from '../../limits.ts'
import { type Oid, SHA1 } from '../../objects/oid.ts'
import { encodeTree, FILE_MODE, TREE_MODE } from '../../objects/tree.ts'
import { GitServer } from '../../protocol/git-server.fixture.ts'
import { DiskStore, initBareRepository } from '../../store/disk.ts'
import { enumerateObjects } from './enumerate.ts'
import { ObjectSpace } from './object-space.ts'

const ident = 'Ada <ada@example.org> 1704067200 +0000'

function commit(store: DiskStore, tree: Oid, parent?: Oid): Oid {
  const lines = [`tree ${tree}`, ...(parent === undefined ? [] : [`parent ${parent}`]), `author ${ident}`, `committer ${ident}`, '', 'x']
  return store.write('commit', Buffer.from(lines.join('\n')))
}

function treeOf(store: DiskStore, names: readonly string[], mode: number, oid: Oid): Oid {
  return store.write('tree', encodeTree(names.map((name) => ({ name, mode, oid }))))
}

async function between(store: DiskStore, want: Oid, have: Oid): Promise<Oid[]> {
  const found = await enumerateObjects(new ObjectSpace(store), new CommitSource(store), {
    wants: [want],
    haves: [have],
    limits: defaultLimits,
    checkpoint: checkpointOf(),
  })
  return [...found.numbers.view()].map((number) => found.space.oid(number))
}

async function withStore(work: (store: DiskStore) => Promise<void>): Promise<void> {
  await using files = new GitServer()
  const dir = files.path('made.git')
  initBareRepository(dir, 'main', SHA1)
  const store = DiskStore.open(dir)
  await work(store)
  store.close()
}

test('a change that shows at 2^40 paths is found once', async () => {
  await withStore(async (store) => {
    const bomb = (text: string): Oid => {
      let oid = treeOf(store, ['file'], FILE_MODE, store.write('blob', Buffer.from(text)))
      for (let level = 0; level < 40; level++) oid = treeOf(store, ['a', 'b'], TREE_MODE, oid)
      return oid
    }
    const old = commit(store, bomb('old'))
    const sent = await between(store, commit(store, bomb('new'), old), old)
    expect(sent.length).toBe(43)
  })
})

test('a file that gives way to a directory, and what moved within a directory, is told apart', async () => {
  await withStore(async (store) => {
    const [same, gone] = ['same', 'gone'].map((text) => store.write('blob', Buffer.from(text))) as [Oid, Oid]
    const inner = treeOf(store, ['inner'], FILE_MODE, same)
    const before = [
      { name: 'kept', mode: FILE_MODE, oid: same },
      { name: 'place', mode: FILE_MODE, oid: gone },
    ]
    const after = [
      { name: 'moved', mode: FILE_MODE, oid: gone },
      { name: 'place', mode: TREE_MODE, oid: inner },
    ]
    const old = commit(store, store.write('tree', encodeTree(before)))
    const tree = store.write('tree', encodeTree(after))
    const next = commit(store, tree, old)
    expect((await between(store, next, old)).sort()).toEqual([next, tree, inner].sort())
  })
})
