import { expect, test } from 'bun:test'
import { cpuMeter } from '../../../test/cpu-time.ts'
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

test('patterns that take long are asked about fewer files', () => {
  const store = new ScratchStore(new MemoryStore(), 64 * 1024 * 1024)
  const oid = store.write('blob', Buffer.from('text'))
  const files = Array.from({ length: 2000 }, (_, i) => ({ mode: FILE_MODE, name: `${'a'.repeat(200)}${i + 1000}`, oid }))
  const rules = { mode: FILE_MODE, name: 'rules', oid: store.write('blob', Buffer.from(`${'**a'.repeat(2000)}b`)) }
  const root = store.write('tree', encodeTree([...files, rules]))
  const spent = cpuMeter()
  expect(() => fillTemplate(store, root, { rulesPath: 'rules', variables: new Map() as never })).toThrow('too many files for its file patterns')
  expect(spent()).toBeLessThan(30_000)
})
