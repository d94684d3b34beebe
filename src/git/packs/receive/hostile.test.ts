import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { damagedPacks, honestPack, hostilePacks } from '../../../../test/hostile-packs.ts'
import { MapStore } from '../../../../test/map-store.ts'
import { outcome } from '../../../../test/outcome.ts'
import { idOf, makeCommit, makeDelta, makeTree, PackBuilder } from '../../../../test/pack-builder.ts'
import { soak } from '../../../../test/soak.ts'
import { GitError } from '../../errors.ts'
import type { GitLimits } from '../../limits.ts'
import { defaultLimits } from '../../limits.ts'
import type { ObjectFormat, Oid } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import type { ReceivedPack } from './receive.ts'
import { receivePack } from './receive.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true }))

// Bases get little memory, so that the corpus also goes through forgetting them; the default would be zeroed anew for each pack.
const limits: GitLimits = { ...defaultLimits, deltaCacheBytes: 1024 * 1024 }

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

function receive(pack: Uint8Array, own: Partial<GitLimits> = {}, store = new MapStore(), tips: Oid[] = []): Promise<ReceivedPack> {
  return receivePack(inPieces(pack, 700), { directory, store, limits: { ...limits, ...own }, tips })
}

/** The message with which the pack is refused, once it is certain that nothing was left behind. */
async function refusalOf(received: Promise<ReceivedPack>): Promise<string> {
  const error = await received.then(
    () => 'accepted',
    (thrown: unknown) => thrown,
  )
  expect(readdirSync(directory)).toEqual([])
  if (!(error instanceof GitError)) throw new Error(`no GitError but ${String(error)}`)
  return error.message
}

describe('a hostile pack is refused by name and leaves nothing behind', () => {
  for (const { name, pack, expected } of hostilePacks()) {
    test(name, async () => {
      const message = await refusalOf(receive(pack))
      expect(message).toStartWith('Cannot accept pack: ')
      expect(message).toMatch(expected)
    })
  }
})

test('an honest pack cut off or changed at any byte is refused', async () => {
  for (const { name, pack, expected } of damagedPacks()) {
    const message = await refusalOf(receive(pack))
    if (!expected.test(message)) throw new Error(`${name}: ${message}`)
  }
})

test('the honest pack itself is accepted, in whatever pieces it comes', async () => {
  for (const length of [1, 13, 100_000]) {
    const received = await receivePack(inPieces(honestPack(), length), { directory, store: new MapStore(), limits, tips: [] })
    expect(received.objects).toBe(7)
    for (const file of readdirSync(directory)) rmSync(join(directory, file))
  }
})

test('a source that fails is not taken for a short pack, and nothing is left behind', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield honestPack().subarray(0, 300)
    throw new Error('connection lost')
  }
  expect(await outcome(receivePack(failing(), { directory, store: new MapStore(), limits, tips: [] }))).toThrow('connection lost')
  expect(readdirSync(directory)).toEqual([])
})

test('a tip that is nowhere is refused', async () => {
  const tip = '1'.repeat(40) as Oid
  expect(await refusalOf(receive(honestPack(), {}, new MapStore(), [tip]))).toMatch(`the pushed object ${tip} is neither in the pack nor in the repository`)
})

describe('limits', () => {
  const text = 'x'.repeat(1000)
  const oneBlob = new PackBuilder()
  oneBlob.add('blob', text)
  const many = new PackBuilder()
  const base = many.add('blob', text)
  for (let i = 0; i < 20; i++) many.ofsDelta(base, makeDelta(1000, 1001, [[0, 1000], String.fromCharCode(65 + i)]))
  const tree = new PackBuilder()
  tree.add(
    'tree',
    makeTree([
      ['100644', 'a', '1'.repeat(40)],
      ['100644', 'b', '1'.repeat(40)],
    ]),
  )
  const wide = new PackBuilder()
  wide.ofsDelta(wide.add('tree', ''), makeDelta(0, 29, [makeTree([['100644', 'a', '1'.repeat(40)]])]))
  const commit = new PackBuilder()
  commit.add('commit', makeCommit('1'.repeat(40), []))
  const made = new PackBuilder()
  const { length } = makeCommit('1'.repeat(40))
  made.ofsDelta(made.add('commit', makeCommit('1'.repeat(40))), makeDelta(length, length + 1, [[0, length], '!']))
  const [commits, tags] = [new PackBuilder(), new PackBuilder()]
  const parent = makeCommit('1'.repeat(40), [], 'x'.repeat(250))
  const root = commits.add('commit', parent)
  for (let i = 0; i < 20; i++) {
    commits.ofsDelta(root, makeDelta(parent.length, parent.length + 2, [[0, parent.length], `${i}`.padStart(2)]))
    tags.add('tag', `object ${'1'.repeat(40)}\ntype commit\ntag v${i}\ntagger A <a@b> 1 +0000\n\n${'x'.repeat(200)}\n`)
  }
  const rows: [name: string, pack: PackBuilder, limits: Partial<GitLimits>, expected: RegExp][] = [
    ['of the pack’s bytes', oneBlob, { maxPackBytes: 40 }, /larger than the limit of 40 bytes/],
    ['of an object’s bytes', oneBlob, { maxObjectBytes: 999 }, /1000 bytes are over the limit of 999/],
    ['of all objects’ bytes', many, { maxInflatedBytes: 10_000 }, /total size of its objects is over the limit of 10000/],
    ['of what a byte of the pack may come to', many, { maxObjectBytes: 2000, maxExpansion: 10 }, /more than 10 times the size of the pack/],
    ['of the number of objects', many, { maxPackObjects: 20 }, /21 objects are over the limit of 20/],
    ['of tree entries', tree, { maxTreeEntries: 1 }, /more than 1 entries/],
    ['of the bytes of a tree made by a delta', wide, { maxParsedBytes: 28 }, /29 bytes are over the limit of 28 for a tree/],
    ['of a commit’s bytes', commit, { maxCommitBytes: 40 }, /over the limit of 40 for a commit/],
    ['of the bytes of a commit made by a delta', made, { maxCommitBytes: length }, /over the limit of \d+ for a commit/],
    ['of what commits may come to', commits, { maxCommitBytes: 420, maxCommitExpansion: 2 }, /its commits and tags are more than 2 times as large as itself/],
    ['of what tags may come to', tags, { maxCommitBytes: 400, maxCommitExpansion: 2 }, /its commits and tags are more than 2 times as large as itself/],
    ['of a tree’s bytes', tree, { maxParsedBytes: 40 }, /over the limit of 40 for a tree/],
  ]
  for (const [name, pack, own, expected] of rows) {
    test(`the limit ${name} holds`, async () => expect(await refusalOf(receive(pack.build(), own))).toMatch(expected))
  }
})

test('the default limits refuse a pack that inflates to a thousand times its size', async () => {
  const size = soak(10, 100) * 1024 * 1024
  const zeros = Buffer.alloc(size)
  const zlib = deflateSync(zeros)
  const builder = new PackBuilder()
  for (let i = 0; i < 50; i++) builder.add('blob', '', { size: zeros.length, zlib })
  const source = inPieces(builder.build(), 65_536)
  // Two objects may come to as much as they like.
  const own = { ...defaultLimits, maxObjectBytes: soak(size, defaultLimits.maxObjectBytes) }
  const received = receivePack(source, { directory, store: new MapStore(), limits: own, tips: [] })
  expect(await refusalOf(received)).toBe('Cannot accept pack: its objects have more than 256 times the size of the pack')
})

describe('two objects of one id', () => {
  const text = 'the content that the repository has'

  test('the same content as in the repository is accepted, also as a delta', async () => {
    const store = new MapStore()
    store.objects.set(idOf('blob', text) as Oid, { type: 'blob', data: Buffer.from(text) })
    const builder = new PackBuilder()
    builder.ofsDelta(builder.add('blob', `${text}!`), makeDelta(text.length + 1, text.length, [[0, text.length]]))
    expect((await receive(builder.build(), {}, store)).objects).toBe(2)
    for (const file of readdirSync(directory)) rmSync(join(directory, file))
  })

  test('other content than in the repository is refused', async () => {
    const id = idOf('blob', text) as Oid
    for (const stored of [
      { type: 'blob' as const, data: Buffer.from('else') },
      { type: 'tag' as const, data: Buffer.from(text) },
    ]) {
      const store = new MapStore()
      store.objects.set(id, stored)
      const builder = new PackBuilder()
      builder.add('blob', text)
      expect(await refusalOf(receive(builder.build(), {}, store))).toMatch(`collision: its object ${id} differs`)
    }
  })

  test('other content in the same pack is refused', async () => {
    const weak: ObjectFormat = { ...SHA1, hashInto: (_type, data, out, at) => void out.fill(data.length, at, at + 20) }
    const builder = new PackBuilder()
    builder.add('blob', 'one')
    builder.add('blob', 'two')
    expect(await refusalOf(receive(builder.build(), {}, new MapStore(weak)))).toMatch(
      `collision: it contains two different objects with the ID ${'03'.repeat(20)}`,
    )
  })
})

test('a hostile .gitmodules blob that the repository has is refused once a tree calls it so', async () => {
  const content = '[submodule "x"]\n\turl = -x\n'
  const store = new MapStore()
  store.objects.set(idOf('blob', content) as Oid, { type: 'blob', data: Buffer.from(content) })
  const builder = new PackBuilder()
  builder.add('tree', makeTree([['100644', '.gitmodules', idOf('blob', content)]]))
  expect(await refusalOf(receive(builder.build(), {}, store))).toMatch(/the \.gitmodules file has the url "-x"/)
})
