import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { encodeTree } from '../objects/tree.ts'
import { DiskStore, initBareRepository } from '../store/disk.ts'
import { listTree } from './list-tree.ts'

function newStore(): { store: DiskStore; path: string } {
  const path = join(mkdtempSync(join(tmpdir(), 'pf-')), 'x.git')
  initBareRepository(path, 'main', SHA1)
  return { store: DiskStore.open(path), path }
}

/** `depth` trees inside one another, each with ten entries that are all the same next one. */
function gitBomb(store: DiskStore, depth: number): Oid {
  let oid = store.write('blob', Buffer.from('boom\n'))
  for (let level = 0; level < depth; level++) {
    const mode = level === 0 ? 0o100644 : 0o040000
    oid = store.write('tree', encodeTree(Array.from({ length: 10 }, (_, i) => ({ mode, name: `f${i}`, oid }))))
  }
  return oid
}

test('pages of a small tree are what git ls-tree -r -t -l prints', async () => {
  const { store, path } = newStore()
  const root = gitBomb(store, 3)
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

test('any page of ten trees that unfold into ten billion files comes at once', async () => {
  const { store, path } = newStore()
  const root = gitBomb(store, 10)
  const spent = cpuMeter()
  const { entries, total } = await listTree(store, root, { recursive: true, offset: 11_111_111_105, limit: 1000 })
  expect([total, entries.map((entry) => entry.path)]).toEqual([11_111_111_110, [5, 6, 7, 8, 9].map((last) => `${'f9/'.repeat(9)}f${last}`)])
  expect(spent()).toBeLessThan(500)
  rmSync(join(path, '..'), { recursive: true })
})
