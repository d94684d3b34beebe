import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { SHA1 } from '../objects/oid.ts'
import { encodeTree, TREE_MODE } from '../objects/tree.ts'
import { unfoldingTree } from '../objects/unfolding-tree.fixture.ts'
import { DiskStore, initBareRepository } from '../store/disk.ts'
import { listTree } from './list-tree.ts'

const boom = Buffer.from('boom\n')

function newStore(): { store: DiskStore; path: string } {
  const path = join(mkdtempSync(join(tmpdir(), 'pf-')), 'x.git')
  initBareRepository(path, 'main', SHA1)
  return { store: DiskStore.open(path), path }
}

test('pages of a small tree are what git ls-tree -r -t -l prints', async () => {
  const { store, path } = newStore()
  const root = unfoldingTree(store, 3, boom)
  const lines = Bun.spawnSync(['git', '-C', path, 'ls-tree', '-r', '-t', '-l', root]).stdout.toString().trim().split('\n')
  const listed: string[] = []
  for (let offset = 0; offset < 1200; offset += 77) {
    const { entries, total } = await listTree(store, root, { recursive: true, offset, limit: 77 })
    expect(total).toBe(lines.length)
    for (const { mode, oid, size, path: name } of entries) {
      const type = mode === 0o040000 ? 'tree' : 'blob'
      listed.push(`${mode.toString(8).padStart(6, '0')} ${type} ${oid} ${(type === 'tree' ? '-' : String(size)).padStart(7)}\t${name}`)
    }
  }
  expect(listed).toEqual(lines)
  rmSync(join(path, '..'), { recursive: true })
})

test('paths that no system opens are refused, and pages before them are given', async () => {
  const { store, path } = newStore()
  let oid = unfoldingTree(store, 1, boom)
  for (let level = 0; level < 21; level++) oid = store.write('tree', encodeTree([{ mode: TREE_MODE, name: 'n'.repeat(200), oid }]))
  const before = await listTree(store, oid, { recursive: true, offset: 0, limit: 20 })
  expect([before.total, before.entries.at(-1)?.path.length]).toEqual([31, 20 * 201 - 1])
  const after = listTree(store, oid, { recursive: true, offset: 20, limit: 20 })
  expect(await after.catch((error) => error.message)).toBe('Cannot list tree: a path has more than 4096 characters')
  rmSync(join(path, '..'), { recursive: true })
})

test('any page of ten trees that unfold into ten billion files comes at once', async () => {
  const { store, path } = newStore()
  const root = unfoldingTree(store, 10, boom)
  const spent = cpuMeter()
  const { entries, total } = await listTree(store, root, { recursive: true, offset: 11_111_111_105, limit: 1000 })
  expect([total, entries.map((entry) => entry.path)]).toEqual([11_111_111_110, [5, 6, 7, 8, 9].map((last) => `${'d9/'.repeat(9)}d${last}`)])
  expect(spent()).toBeLessThan(500)
  rmSync(join(path, '..'), { recursive: true })
})
