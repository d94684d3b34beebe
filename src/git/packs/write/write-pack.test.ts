import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { checkpointOf } from '../../checkpoint.ts'
import { CommitSource } from '../../history/commit-source.ts'
import { defaultLimits } from '../../limits.ts'
import type { Oid } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import { Collected, GitServer, git, objectsOf, snapshotOf } from '../../protocol/git-server.fixture.ts'
import { makeSample } from '../../protocol/sample-repository.fixture.ts'
import { DiskStore } from '../../store/disk.ts'
import { collectReachable, countReachable, enumerateObjects, Selection } from '../select/enumerate.ts'
import { ObjectSpace } from '../select/object-space.ts'
import { PackOutput, UNFRAMED } from './pack-output.ts'
import { writePack } from './write-pack.ts'

const files = new GitServer()
const options = { limits: defaultLimits, checkpoint: checkpointOf() }
let dir = ''
let store: DiskStore
let tips: Oid[] = []

beforeAll(async () => {
  dir = await makeSample(files, 'sample')
  store = DiskStore.open(dir)
  tips = (await snapshotOf(dir)).refs.map((ref) => ref.oid)
})

afterAll(async () => {
  store.close()
  await files[Symbol.asyncDispose]()
})

function oidsOf(selection: Selection): string[] {
  return [...selection.numbers.view()].map((number) => selection.space.oid(number)).sort()
}

async function revList(...args: string[]): Promise<string[]> {
  return (await git(dir, 'rev-list', '--objects', '--no-object-names', ...args)).split('\n').sort()
}

/** The pack of a selection, checked and stored by stock git in a new repository; answers where, and how much was copied. */
async function packOf(selection: Selection, name: string, rules: { ofsDelta: boolean; thin: boolean }): Promise<{ at: string; copied: number }> {
  const sink = new Collected()
  const outcome = await writePack(
    selection,
    { ...rules, mayStandOn: (number) => rules.thin && selection.isKnown(number), checkpoint: options.checkpoint },
    new PackOutput(sink, UNFRAMED, SHA1.hasher()),
  )
  const at = files.path(name)
  await git(files.root, 'init', '-q', '--bare', at)
  const child = Bun.spawn(['git', 'index-pack', '--stdin'], { cwd: at, stdin: sink.bytes, stdout: 'ignore' })
  expect(await child.exited).toBe(0)
  return { at, copied: outcome.copied }
}

test('what refs reach is what git lists', async () => {
  const expected = await revList('--all')
  expect(oidsOf(await collectReachable(store, new CommitSource(store), tips, options))).toEqual(expected)
  expect(await countReachable(store, new CommitSource(store), tips, options)).toBe(expected.length)
})

test.each([
  ['a few commits', 'main', ['main~4']],
  ['a merge', 'main', ['main^2']],
  ['another branch', 'apart', ['main']],
  ['a tag of a tag', 'nested', ['v10']],
  ['nothing new', 'main~9', ['main']],
])('%s less what the receiver has is at least what git lists, and not what it has', async (_, want, haves) => {
  const oid = async (name: string): Promise<Oid> => (await git(dir, 'rev-parse', name)) as Oid
  const found = await enumerateObjects(new ObjectSpace(store), new CommitSource(store), {
    wants: [await oid(want)],
    haves: await Promise.all(haves.map(oid)),
    ...options,
  })
  const expected = await revList(want, '--not', ...haves)
  expect(oidsOf(found)).toEqual(expected.filter((line) => line !== ''))
})

describe('a pack of everything', () => {
  test('copies every entry as it lies', async () => {
    const selection = await collectReachable(store, new CommitSource(store), tips, options)
    const { at, copied } = await packOf(selection, 'whole', { ofsDelta: true, thin: false })
    expect(copied).toBe(selection.numbers.length)
    expect(await objectsOf(at)).toEqual(await objectsOf(dir))
  })

  test('stands on names alone for those who know no offsets', async () => {
    const selection = await collectReachable(store, new CommitSource(store), tips, options)
    const { at, copied } = await packOf(selection, 'named', { ofsDelta: false, thin: false })
    expect(copied).toBe(selection.numbers.length)
    expect(await objectsOf(at)).toEqual(await objectsOf(dir))
  })
})

test('half of a pack stands by itself, deltas on the other half remade', async () => {
  const all = await collectReachable(store, new CommitSource(store), tips, options)
  for (const parity of [0, 1]) {
    const half = new Selection(all.space)
    for (let i = parity; i < all.numbers.length; i += 2) half.add(all.numbers.at(i))
    const { at, copied } = await packOf(half, `half-${parity}`, { ofsDelta: true, thin: false })
    expect(copied).toBeLessThan(half.numbers.length)
    expect((await objectsOf(at)).map((line) => line.split(' ')[0])).toEqual(oidsOf(half))
  }
})

test('large objects that are loose come along, in pieces', async () => {
  const at = files.path('loose')
  const data = Buffer.concat([randomBytes(5 * 1024 * 1024), Buffer.alloc(5 * 1024 * 1024)])
  await git(files.root, 'init', '-q', '--bare', at)
  await Bun.write(files.path('large.bin'), data)
  const oid = (await git(at, 'hash-object', '-w', files.path('large.bin'))) as Oid
  const loose = DiskStore.open(at)
  const selection = new Selection(new ObjectSpace(loose))
  selection.add(selection.space.get(oid))
  const made = await packOf(selection, 'of-loose', { ofsDelta: true, thin: false })
  const packed = DiskStore.open(made.at)
  expect([packed.locate(oid)?.pack.index.count, Buffer.from(packed.get(oid).data).equals(data)]).toEqual([1, true])
  loose.close()
  packed.close()
})
