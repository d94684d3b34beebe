import { expect, test } from 'bun:test'
import { encodeTree, FILE_MODE, TREE_MODE } from '../objects/tree.ts'
import { unfoldingTree } from '../objects/unfolding-tree.fixture.ts'
import { MemoryStore } from '../store/memory.ts'
import { ScratchStore } from '../store/scratch-store.ts'
import { fillTemplate } from './fill-template.ts'

test('directories without files that unfold without end are looked at for so long, and not longer', () => {
  const store = new ScratchStore(new MemoryStore(), 1024 * 1024)
  const rules = { mode: FILE_MODE, name: 'rules', oid: store.write('blob', Buffer.from('**\n'.repeat(100))) }
  const root = store.write('tree', encodeTree([{ mode: TREE_MODE, name: 'd', oid: unfoldingTree(store, 14) }, rules]))
  expect(() => fillTemplate(store, root, { rulesPath: 'rules', variables: new Map() as never })).toThrow('too many files')
})
