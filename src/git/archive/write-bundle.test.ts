import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { CommitSource } from '../history/commit-source.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { DiskStore } from '../store/disk.ts'
import { writeBundle } from './write-bundle.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())

test('a bundle is whole though its packs are joined with others while it is written, and were closed for others before', async () => {
  using history = new RandomHistory({ seed: 5, commits: 30, merges: 0.3, lines: 4 })
  history.git('repack', '-adq')
  const store = DiskStore.open(history.gitDir)
  const [before] = store.packs
  before?.rest()
  let isJoined = false
  const checkpoint = () => {
    if (!isJoined) history.git('repack', '-adFq', '--depth=0', '--window=0')
    isJoined = true
    return undefined
  }
  const written: Uint8Array[] = []
  const sink = { write: async (bytes: Uint8Array) => void written.push(bytes.slice()) }
  const tip = history.oids[20] as Oid
  await writeBundle(store, new CommitSource(store), [{ name: 'refs/heads/x', oid: tip }], { limits: defaultLimits, checkpoint }, sink)
  expect(existsSync(before?.path ?? '')).toBe(false)
  store.close()
  const path = join(root.path, 'x.bundle')
  await Bun.write(path, Buffer.concat(written))
  git(['clone', '-q', '--bare', '-b', 'x', path, join(root.path, 'copy')])
  const objects = (gitDir: string) => git(['rev-list', '--objects', '--no-object-names', tip], { cwd: gitDir }).toString()
  expect(objects(join(root.path, 'copy'))).toBe(objects(history.gitDir))
})
