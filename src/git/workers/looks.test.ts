import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { rejection } from '../../../test/outcome.ts'
import { idOf, makeCommit, makeDelta, makeTree, PackBuilder } from '../../../test/pack-builder.ts'
import { GitError } from '../errors.ts'
import { defaultLimits } from '../limits.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { Budget } from '../store/budget.ts'
import { DiskStore } from '../store/disk.ts'
import { FrugalReader } from '../store/frugal-reader.ts'
import { GitService } from './service.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const service = new GitService({ directory: root.path, limits: defaultLimits, workers: 1 })
afterAll(() => service.close())

const tree = makeTree([])
const plain = makeCommit(idOf('tree', tree), [], 'plain\n')
const long = makeCommit(idOf('tree', tree), [], `${'long '.repeat(60_000)}\n`)
/** The beginning of the long one, as a delta on it. */
const short = long.slice(0, 200)
const oidOf = (commit: string) => idOf('commit', commit) as Oid
const oids: Record<string, Oid> = { plain: oidOf(plain), long: oidOf(long), short: oidOf(short) }

service.create(1, 'main', SHA1)
const pack = new PackBuilder()
pack.add('tree', tree)
pack.add('commit', plain)
pack.ofsDelta(pack.add('commit', long), makeDelta(long.length, short.length, [[0, 200]]))
const path = join(service.pathOf(1), 'objects', 'pack', `pack-${'1'.repeat(40)}.pack`)
writeFileSync(path, pack.build())
git(['index-pack', path])

test.each([
  ['plain', true],
  ['long', false],
  ['short', false],
])('a look at a %s commit is cheap: %p', (name, isCheap) => {
  const read = () => new FrugalReader(DiskStore.open(service.pathOf(1)), new Budget(128 * 1024)).get(oids[name] as Oid, 'commit')
  if (isCheap) expect(read().data.length).toBe(plain.length)
  else expect(read).toThrow(expect.objectContaining({ kind: 'limit' }))
})

test('what one look has spent is not there for the next object', () => {
  const reader = new FrugalReader(DiskStore.open(service.pathOf(1)), new Budget(2 * plain.length))
  reader.get(oids.plain as Oid)
  expect(() => reader.get(oids.plain as Oid)).toThrow(GitError)
})

test('what a look may not do on the main thread a worker does, with the same answer', async () => {
  const all = [oids.plain, oids.long, oids.short] as Oid[]
  const told = await service.look('commits', 1, { oids: all })
  expect(told.map(({ commit }) => commit.message.slice(0, 5))).toEqual(['plain', 'long ', 'long '])
  const links = await Promise.all(all.map((oid) => service.look('links', 1, { oid })))
  expect(links.map((one) => one.tree)).toEqual(Array<Oid>(3).fill(idOf('tree', tree) as Oid))
  expect(await service.look('peel', 1, { oid: oids.long as Oid, type: 'tree' })).toBe(idOf('tree', tree) as Oid)
  const gone = '8'.repeat(40) as Oid
  expect(await rejection(service.look('links', 1, { oid: gone }))).toMatchObject({ kind: 'missing' })
})
