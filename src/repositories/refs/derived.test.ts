import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { refsOf } from '#git/workers/ref-list.ts'
import { Random } from '../../../test/generate-history.ts'
import { git, type TestForge, testForge } from '../../../test/harness.ts'
import { listRefs, quarantineName, type RefRow, type RefUpdate, refPages, refSnapshot, sweepUnfinished, updateRefs, writeDerived } from './index.ts'

let forge: TestForge
let repo: RepoRow
let oid: Oid
beforeEach(async () => {
  forge = testForge()
  const ada = await forge.person('ada')
  repo = forge.repo(ada, 'engine')
  oid = (await git(['hash-object', '-w', '--stdin'], { cwd: path(), input: 'hello' })) as Oid
})
afterEach(() => forge[Symbol.asyncDispose]())

const path = () => forge.context.git.pathOf(repo.id)
const update = (...updates: RefUpdate[]) =>
  forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId: repo.id, actorId: 1, message: 'test', updates }))
const many = () => Array.from({ length: 1500 }, (_, i) => ({ name: `refs/tags/many/${i}`, new: oid }))
const names = async () => (await git(['for-each-ref', '--format=%(refname)'], { cwd: path() })).split('\n')
const rows = () => listRefs(forge.context.db, repo.id).map((ref) => ref.name)

test('among many refs a change is written as one small file, and stock git sees what the rows say', async () => {
  update(...many())
  await writeDerived(forge.context, repo.id)
  const packed = readFileSync(join(path(), 'packed-refs'), 'utf8')
  update({ name: 'refs/tags/new', new: oid }, { name: 'refs/tags/many/7', new: oid })
  await writeDerived(forge.context, repo.id)
  expect(readFileSync(join(path(), 'packed-refs'), 'utf8')).toBe(packed)
  expect(readFileSync(join(path(), 'refs/tags/new'), 'utf8')).toBe(`${oid}\n`)
  expect(await names()).toEqual(rows())
})

test.each<[claim: string, updates: RefUpdate[]]>([
  ['a ref that goes', [{ name: 'refs/tags/many/7', new: SHA1.zero }]],
  ['a loose ref that goes', [{ name: 'refs/tags/loose/a', new: SHA1.zero }]],
  [
    'a file where a directory was',
    [
      { name: 'refs/tags/loose/a', new: SHA1.zero },
      { name: 'refs/tags/loose', new: '' as Oid },
    ],
  ],
])('%s is not to be seen on disk either', async (_claim, updates) => {
  update(...many())
  await writeDerived(forge.context, repo.id)
  update({ name: 'refs/tags/loose/a', new: oid })
  await writeDerived(forge.context, repo.id)
  expect(existsSync(join(path(), 'refs/tags/loose/a'))).toBe(true)
  update(...updates.map((one) => ({ ...one, new: one.new || oid })))
  await writeDerived(forge.context, repo.id)
  expect(await names()).toEqual(rows())
  expect(existsSync(join(path(), 'refs/tags/loose/a'))).toBe(false)
})

test.each<[claim: string, name: string, hasFoldingDisk: boolean]>([
  ['on a disk that does not tell letters’ case apart, a ref', 'refs/tags/New', true],
  ['a ref whose name has another form that disks may take it for', 'refs/tags/cafe\u0301', false],
])('%s gets no file of its own', async (_claim, name, hasFoldingDisk) => {
  update(...many())
  await writeDerived(forge.context, repo.id)
  if (hasFoldingDisk) writeFileSync(join(path(), 'head'), readFileSync(join(path(), 'HEAD')))
  update({ name, new: oid })
  await writeDerived(forge.context, repo.id)
  expect(existsSync(join(path(), name))).toBe(false)
  expect(await names()).toEqual(rows())
})

test('a snapshot that follows changes is the same as one that is read anew', async () => {
  const read = async () => (await refSnapshot(forge.context, repo)).chunks.flatMap(refsOf)
  update(...many())
  await read()
  const before = await refSnapshot(forge.context, repo)
  const length = before.chunks.flatMap(refsOf).length
  update({ name: 'refs/heads/\u{1F600}', new: oid }, { name: 'refs/heads/\uFFFD', new: oid })
  for (let i = 0; i < 1500; i += 3) update({ name: `refs/tags/many/${i}`, new: SHA1.zero }, { name: `refs/zoo/${i}`, new: oid, peeled: oid })
  const stored = listRefs(forge.context.db, repo.id).map(({ name, oid, peeled }) => (peeled ? { name, oid, peeled } : { name, oid }))
  expect(await read()).toEqual(stored)
  expect(before.chunks.flatMap(refsOf)).toHaveLength(length)
})

test('a snapshot follows refs that come and go at both ends and in the middle, one at a time or many', async () => {
  const random = new Random(7)
  const names = Array.from({ length: 4000 }, (_, i) => `refs/${random.pick(['heads', 'tags', 'a', '\u00e9', '\u{1F600}'])}/${i}`)
  const there = new Set<string>()
  for (const count of [1, 1, 1000, 1, 999, 999, 3, 500]) {
    const moved = Array.from({ length: count }, () => random.pick(names)).filter((name, i, all) => all.indexOf(name) === i)
    update(...moved.map((name) => ({ name, new: there.has(name) && random.chance(0.4) ? SHA1.zero : oid, ...(random.chance(0.5) && { peeled: oid }) })))
    for (const { name } of listRefs(forge.context.db, repo.id)) there.add(name)
    const stored = listRefs(forge.context.db, repo.id).map(({ name, oid, peeled }) => (peeled ? { name, oid, peeled } : { name, oid }))
    for (const name of moved) if (!stored.some((ref) => ref.name === name)) there.delete(name)
    const shared = await refSnapshot(forge.context, repo)
    expect(shared.chunks.flatMap(refsOf)).toEqual(stored)
    expect(shared.count).toBe(stored.length)
  }
})

test('what another process left unfinished is swept; what this one works on is not', async () => {
  const objects = join(path(), 'objects')
  const own = join(objects, quarantineName('incoming'))
  for (const left of [own, join(objects, 'tmp_incoming-00112233-4455'), join(objects, 'tmp_upkeep-0011')]) mkdirSync(left)
  const files = [join(path(), 'packed-refs.0011.tmp'), join(objects, 'info/commit-graph.7-0011.tmp'), join(objects, 'pack/pack-0011.idx.tmp')]
  for (const left of files) writeFileSync(left, '')
  await sweepUnfinished(forge.context, path())
  expect([own, join(objects, 'tmp_incoming-00112233-4455'), join(objects, 'tmp_upkeep-0011'), ...files].filter(existsSync)).toEqual([own])
})

test('what belongs to a pack that is not there is swept; packs stay, with their index and without', async () => {
  const packs = join(path(), 'objects/pack')
  for (const name of ['pack-a.idx', 'pack-a.mtimes', 'pack-b.rev', 'pack-c.pack', 'pack-c.idx', 'pack-d.pack']) writeFileSync(join(packs, name), '')
  await sweepUnfinished(forge.context, path())
  const left = readdirSync(packs).filter((name) => /^pack-[a-d]\./.test(name))
  expect(left.sort()).toEqual(['pack-c.idx', 'pack-c.pack', 'pack-d.pack'])
  for (const name of left) rmSync(join(packs, name))
})

test('refs read a page at a time are those that are read at once', async () => {
  update(...many(), { name: 'refs/tags/manifold', new: oid })
  for (const prefix of ['', 'refs/tags/many', 'refs/tags/many/1499', 'refs/tags/x']) {
    const read: RefRow[] = []
    for await (const page of refPages(forge.context.db, repo.id, prefix)) read.push(...page)
    expect(read).toEqual(listRefs(forge.context.db, repo.id, { prefix }))
  }
})
