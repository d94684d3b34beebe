import { expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, makeHistory, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { outcome } from '../../../../test/outcome.ts'
import { defaultLimits } from '../../limits.ts'
import type { Oid } from '../../objects/oid.ts'
import { DiskStore } from '../../store/disk.ts'
import { indexPack } from './index-pack.ts'

/** A repository with one pack, and that pack's path. */
function packedHistory(path: string): string {
  makeHistory(path, { commits: 40, files: 5 })
  git(['repack', '-adq'], { cwd: path })
  const directory = join(path, 'objects/pack')
  return join(directory, readdirSync(directory).find((name) => name.endsWith('.pack')) as string)
}

test('the index of a pack is byte for byte what stock git makes', async () => {
  using directory = temporaryDirectory()
  const pack = packedHistory(join(directory.path, 'a.git'))
  const own = join(directory.path, 'own.idx')
  await indexPack(pack, own, { limits: defaultLimits })
  expect(readFileSync(own).equals(readFileSync(pack.replace(/pack$/, 'idx')))).toBe(true)
})

test('a store reads packs by the indexes it is told to, whatever lies beside them', async () => {
  using directory = temporaryDirectory()
  const path = join(directory.path, 'a.git')
  const pack = packedHistory(path)
  const name = pack.slice(pack.lastIndexOf('/') + 1).replace(/pack$/, 'idx')
  await indexPack(pack, join(directory.path, name), { limits: defaultLimits })
  const head = git(['rev-parse', 'main'], { cwd: path }).toString().trim()
  const idx = pack.replace(/pack$/, 'idx')
  chmodSync(idx, 0o644)
  writeFileSync(idx, 'nonsense')
  const store = DiskStore.open(path, { packIndexes: directory.path })
  expect(store.get(head as Oid).type).toBe('commit')
  store.close()
})

test('a damaged pack and one that is too large are refused, and leave no index', async () => {
  using directory = temporaryDirectory()
  const pack = packedHistory(join(directory.path, 'a.git'))
  const own = join(directory.path, 'own.idx')
  expect(await outcome(indexPack(pack, own, { limits: { ...defaultLimits, maxPackBytes: 1000 } }))).toThrow(/1000/)
  expect(await outcome(indexPack(pack, own, { limits: defaultLimits, signal: AbortSignal.abort(new Error('enough')) }))).toThrow('enough')
  const bytes = readFileSync(pack)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
  const damaged = join(directory.path, 'damaged.pack')
  writeFileSync(damaged, bytes)
  expect(await outcome(indexPack(damaged, own, { limits: defaultLimits }))).toThrow(/^Cannot accept pack: /)
  expect(readdirSync(directory.path).sort()).toEqual(['a.git', 'damaged.pack'])
})
