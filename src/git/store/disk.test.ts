import { heapStats } from 'bun:jsc'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { git, gitEnvironment } from '../../../test/git.ts'
import { outcome } from '../../../test/outcome.ts'
import { defaultLimits } from '../limits.ts'
import type { ObjectType, Oid } from '../objects/oid.ts'
import { isOid, SHA1 } from '../objects/oid.ts'
import type { PackFile } from '../packs/pack-file.ts'
import { kindOf, storeContract } from './contract.ts'
import { DiskStore, initBareRepository } from './disk.ts'
import { presenceIn } from './types.ts'

const scratch = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(scratch, { recursive: true }))

let made = 0
/** A new bare repository of our own making. */
function newRepository(): string {
  const gitDir = join(scratch, `${++made}.git`)
  initBareRepository(gitDir, 'main', SHA1)
  return gitDir
}

storeContract('a store on disk', (limits) => {
  const store = DiskStore.open(newRepository(), { limits })
  return Object.assign(store, { [Symbol.dispose]: () => store.close() })
})

test('to ask about very many objects makes next to nothing for the collector', async () => {
  const gitDir = newRepository()
  const tree = await git(['-C', gitDir, 'mktree'], { input: '' })
  await git(['-C', gitDir, 'pack-objects', '-q', join(gitDir, 'objects', 'pack', 'pack')], { input: tree })
  const isThere = presenceIn(DiskStore.open(gitDir))
  const many = 100_000
  const oids = randomBytes(many + 20)
  const before = objectsMade()
  for (let at = 0; at < many; at++) expectAbsent(isThere(oids, at))
  expect(objectsMade() - before).toBeLessThan(many / 10)
})

/** All that lie on the heap, in use or not. */
function objectsMade(): number {
  return Object.values(heapStats().objectTypeCounts).reduce((sum, count) => sum + count, 0)
}

function expectAbsent(isThere: boolean): void {
  if (isThere) throw new Error('an object that nobody wrote is there')
}

describe('a large loose object', () => {
  const data = Buffer.concat([randomBytes(700_000), Buffer.alloc(5_000_000, 'text')])
  const hash = (gitDir: string) => git(['-C', gitDir, 'hash-object', '-w', '--stdin'], { input: data }) as Promise<Oid>
  const fileOf = (gitDir: string, oid: Oid) => join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2))

  test('comes in small pieces, also when its file goes meanwhile', async () => {
    const gitDir = newRepository()
    const oid = await hash(gitDir)
    const pieces: Buffer[] = []
    for await (const piece of DiskStore.open(gitDir).pieces(oid)) {
      rmSync(fileOf(gitDir, oid), { force: true })
      pieces.push(Buffer.from(piece))
    }
    expect(Buffer.concat(pieces).equals(data)).toBe(true)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024)
  })

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut off', (bytes) => bytes.subarray(0, bytes.length - 1)],
    ['cut off in the middle', (bytes) => bytes.subarray(0, 300_000)],
    ['followed by another byte', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    ['changed', (bytes) => Buffer.concat([bytes.subarray(0, 400_000), Buffer.alloc(9, 'x'), bytes.subarray(400_009)])],
    ['of another length than it says', () => deflateSync(Buffer.concat([Buffer.from(`blob ${data.length + 1}\0`), data]))],
  ])('%s is refused by its name', async (_how, damage) => {
    const gitDir = newRepository()
    const oid = await hash(gitDir)
    const bytes = readFileSync(fileOf(gitDir, oid))
    chmodSync(fileOf(gitDir, oid), 0o644)
    writeFileSync(fileOf(gitDir, oid), damage(bytes))
    const read = async () => {
      for await (const _ of DiskStore.open(gitDir).pieces(oid));
    }
    expect(await outcome(read())).toThrow(oid)
  })

  test('is missed by its name, and is not read where it lies in a pack as well', async () => {
    const gitDir = newRepository()
    const oid = await hash(gitDir)
    await git(['-C', gitDir, 'update-ref', 'refs/tags/kept', oid])
    await git(['-C', gitDir, 'repack', '-q', '-a'])
    chmodSync(fileOf(gitDir, oid), 0o644)
    writeFileSync(fileOf(gitDir, oid), 'damaged')
    const store = DiskStore.open(gitDir)
    expect(Buffer.concat((await Array.fromAsync(store.pieces(oid))).map((piece) => Buffer.from(piece))).length).toBe(data.length)
    expect(await outcome(Array.fromAsync(store.pieces('1'.repeat(40) as Oid)))).toThrow(`Cannot find object ${'1'.repeat(40)}`)
  })
})

const REVISIONS = 200

/** A history with everything that objects can be: so many versions of two files, so that packs have long chains, and an annotated tag. */
function fastImport(revisions: number): string {
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i} ${'-'.repeat(i)}`)
  const commits = Array.from({ length: revisions }, (_, i) => {
    lines[(i * 7) % 60] = `revision ${i} changed this line`
    const date = `Ada <ada@example.org> ${1_700_000_000 + i} +0100`
    const file = (path: string, text: string) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    return `commit refs/heads/main\nauthor ${date}\ncommitter ${date}\ndata 6\nchange\n${file('a.txt', lines.join('\n'))}${file(`d/${i % 9}/b.txt`, `b ${i}`)}`
  })
  return `${commits.join('\n')}\ntag v1\nfrom refs/heads/main\ntagger Ada <ada@example.org> 1700000000 +0000\ndata 3\none\n`
}

/** Checks every object of a repository, through `store`, against what stock git says of it; answers how many there are. */
function judge(store: DiskStore, gitDir: string): number {
  const { stdout } = Bun.spawnSync(['git', '-C', gitDir, 'cat-file', '--batch-all-objects', '--batch'], { env: gitEnvironment })
  let count = 0
  for (let at = 0; at < stdout.length; count++) {
    const lineEnd = stdout.indexOf(10, at)
    const [oid, type, size] = stdout.toString('latin1', at, lineEnd).split(' ') as [Oid, ObjectType, string]
    const data = stdout.subarray(lineEnd + 1, lineEnd + 1 + Number(size))
    const found = store.get(oid)
    if (found.type !== type || Buffer.compare(found.data, data) !== 0) throw new Error(`${oid} differs`)
    expect(store.findHeader(oid)).toEqual({ type, size: Number(size) })
    at = lineEnd + data.length + 2
  }
  return count
}

function packsIn(gitDir: string): string[] {
  return readdirSync(join(gitDir, 'objects/pack'))
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(gitDir, 'objects/pack', name))
}

describe('repositories of stock git', () => {
  const origin = join(scratch, 'origin.git')
  let total = 0

  beforeAll(async () => {
    await git(['init', '-q', '--bare', '-b', 'main', origin])
    await git(['-C', origin, 'fast-import', '--quiet', `--depth=${REVISIONS}`], { input: fastImport(REVISIONS) })
    total = (await git(['-C', origin, 'rev-list', '--all', '--objects'])).split('\n').length
  })

  async function copy(name: string): Promise<string> {
    const gitDir = join(scratch, name)
    cpSync(origin, gitDir, { recursive: true })
    return gitDir
  }

  test('a chain of hundreds of deltas reads as git reads it, even with next to no cache', () => {
    for (const cacheBytes of [undefined, 0]) {
      const store = DiskStore.open(origin, { cacheBytes })
      expect(judge(store, origin)).toBe(total)
      store.close()
    }
  })

  test.each([
    { name: 'OFS deltas', args: ['--delta-base-offset'] },
    { name: 'REF deltas', args: [] },
    { name: 'no compression and no deltas', args: ['--compression=0', '--window=0'] },
  ])('a pack of $name reads as git reads it', async ({ name, args }) => {
    const gitDir = join(scratch, `${name}.git`)
    initBareRepository(gitDir, 'main', SHA1)
    const pack = join(gitDir, 'objects/pack/pack')
    await git(['-C', origin, 'pack-objects', '-q', '--all', '--revs', '--no-reuse-delta', '--depth=50', ...args, pack], { input: '' })
    const store = DiskStore.open(gitDir)
    expect(judge(store, gitDir)).toBe(total)
    expect([...store.packedOids()].every(isOid)).toBe(true)
    store.close()
  })

  test('loose objects read as git reads them', async () => {
    const gitDir = newRepository()
    // Few, because a file system may take its time over new files.
    await git(['-C', gitDir, '-c', 'fastimport.unpackLimit=1000', 'fast-import', '--quiet'], { input: fastImport(8) })
    const store = DiskStore.open(gitDir)
    const count = judge(store, gitDir)
    expect(count).toBeGreaterThan(30)
    expect(new Set(store.looseOids()).size).toBe(count)
    expect(store.packs).toEqual([])
    expect(store.locate([...store.looseOids()][0] as Oid)).toBeUndefined()
  })

  test('an open store finds what git adds, and keeps finding everything when git consolidates', async () => {
    const gitDir = await copy('growing.git')
    const store = DiskStore.open(gitDir, { cacheBytes: 0 })
    const head = (await git(['-C', gitDir, 'rev-parse', 'main'])) as Oid
    const added: Oid[] = []
    for (let i = 0; i < 3; i++) {
      const oid = (await git(['-C', gitDir, 'commit-tree', '-p', 'main', '-m', `${i}`, 'main^{tree}'])) as Oid
      added.push(oid)
      expect(store.has(oid)).toBe(true)
      await git(['-C', gitDir, 'update-ref', 'refs/heads/main', oid])
      await git(['-C', gitDir, 'repack', '-dq'])
      expect(store.get(oid, 'commit').type).toBe('commit')
    }
    expect(store.packs.length).toBe(packsIn(gitDir).length)
    const held = store.packs
    await git(['-C', gitDir, 'repack', '-adq'])
    expect(packsIn(gitDir).length).toBe(1)
    for (const oid of [head, ...added]) expect(store.get(oid, 'commit').type).toBe('commit')
    for (const pack of held) expect(pack.read(0).data.length).toBeGreaterThan(0)
    store.refresh()
    expect(store.packs.length).toBe(1)
    expect(judge(store, gitDir)).toBe(total + added.length)
  })

  test('a store that was closed reads on, and what it closed and git consolidated is found in its new place', async () => {
    const gitDir = await copy('closed.git')
    const store = DiskStore.open(gitDir)
    const head = (await git(['-C', gitDir, 'rev-parse', 'main'])) as Oid
    const [pack] = store.packs as [PackFile]
    store.close()
    expect(pack.read(0).data.length).toBeGreaterThan(0)
    pack.close()
    await git(['-C', gitDir, 'repack', '-adfq'])
    expect(kindOf(() => pack.read(0))).toBe('missing')
    expect(store.get(head).type).toBe('commit')
    store.close()
  })

  test('a damaged copy of an object does not stand in the way of a good one', async () => {
    const gitDir = await copy('damaged.git')
    const [pack] = packsIn(gitDir) as [string]
    const good = readFileSync(pack)
    chmodSync(pack, 0o644)
    writeFileSync(pack, Buffer.concat([good.subarray(0, 12), Buffer.alloc(good.length - 32, 0x80), good.subarray(-20)]))
    const store = DiskStore.open(gitDir)
    const head = (await git(['-C', origin, 'rev-parse', 'main'])) as Oid
    expect(kindOf(() => store.get(head))).toBe('corrupt')
    cpSync(pack.replace('.pack', '.idx'), join(gitDir, 'objects/pack/pack-good.idx'))
    writeFileSync(join(gitDir, 'objects/pack/pack-good.pack'), good)
    store.refresh()
    expect(store.get(head, 'commit').type).toBe('commit')
  })

  test('a pack that cannot be opened is passed over, and named when something is missed', async () => {
    const gitDir = await copy('unreadable.git')
    writeFileSync(join(gitDir, 'objects/pack/pack-bad.pack'), 'PACK')
    writeFileSync(join(gitDir, 'objects/pack/pack-bad.idx'), 'nothing like an index')
    const store = DiskStore.open(gitDir)
    expect(judge(store, gitDir)).toBe(total)
    expect(() => store.get('1234567890123456789012345678901234567890' as Oid)).toThrow(/pack-bad\.idx/)
  })

  test('alternates are read, and never written to', async () => {
    const gitDir = newRepository()
    const store = DiskStore.open(gitDir, { alternates: [join(origin, 'objects')] })
    const head = (await git(['-C', origin, 'rev-parse', 'main'])) as Oid
    expect(store.get(head, 'commit').type).toBe('commit')
    expect(store.findByPrefix(head.slice(0, 12), 5)).toEqual([head])
    const { data } = store.get(head)
    expect(store.write('commit', data)).toBe(head)
    expect([...DiskStore.open(gitDir).looseOids()]).toEqual([head])
  })
})

describe('our repositories', () => {
  test('stock git accepts a new one, and what is written to it', async () => {
    const gitDir = newRepository()
    const store = DiskStore.open(gitDir)
    const blob = store.write('blob', Buffer.from('text\n'))
    const tree = store.write('tree', Buffer.concat([Buffer.from('100644 file\0'), Buffer.from(blob, 'hex')]))
    const commit = store.write('commit', Buffer.from(`tree ${tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nfirst\n`))
    await git(['-C', gitDir, 'update-ref', 'refs/heads/main', commit])
    expect(await git(['-C', gitDir, 'fsck', '--full', '--strict'])).toBe('')
    expect(await git(['-C', gitDir, 'cat-file', 'blob', 'HEAD:file'])).toBe('text')
    expect(await git(['-C', gitDir, 'config', '--get', 'core.bare'])).toBe('true')
    const clone = join(scratch, 'clone')
    await git(['clone', '-q', gitDir, clone])
    expect(readFileSync(join(clone, 'file'), 'utf8')).toBe('text\n')
  })

  test('none is made where there is one, nor with a bad name for its branch', () => {
    const gitDir = newRepository()
    expect(kindOf(() => initBareRepository(gitDir, 'main', SHA1))).toBe('refused')
    for (const name of ['', 'a b', '../x', 'a\nb', 'x.lock']) expect(kindOf(() => initBareRepository(join(scratch, 'never.git'), name, SHA1))).toBe('refused')
    expect(readdirSync(scratch)).not.toContain('never.git')
  })

  test('a loose object cannot be written to, and no temporary file stays', () => {
    const gitDir = newRepository()
    const oid = DiskStore.open(gitDir).write('blob', Buffer.from('kept'))
    const folder = join(gitDir, 'objects', oid.slice(0, 2))
    expect(readdirSync(folder)).toEqual([oid.slice(2)])
    expect(statSync(join(folder, oid.slice(2))).mode & 0o777).toBe(0o444)
  })

  test('writing what is there already makes it young again, so that upkeep spares it', async () => {
    const gitDir = newRepository()
    const store = DiskStore.open(gitDir)
    const oid = store.write('blob', Buffer.from('old'))
    const loose = join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2))
    utimesSync(loose, 1000, 1000)
    store.write('blob', Buffer.from('old'))
    expect(statSync(loose).mtimeMs).toBeGreaterThan(1_000_000)
    const name = await git(['-C', gitDir, 'pack-objects', '-q', join(gitDir, 'objects/pack/pack')], { input: `${oid}\n` })
    await git(['-C', gitDir, 'prune-packed'])
    const pack = join(gitDir, `objects/pack/pack-${name}.pack`)
    utimesSync(pack, 1000, 1000)
    store.write('blob', Buffer.from('old'))
    expect(statSync(pack).mtimeMs).toBeGreaterThan(1_000_000)
    expect([...store.looseOids()]).toEqual([])
  })
})

describe('damaged loose objects', () => {
  const oid = 'ce013625030ba8dba906f756967f9e9ca394464a' as Oid
  const good = deflateSync('blob 6\0hello\n')
  const cases: { name: string; bytes: Uint8Array }[] = [
    { name: 'an empty file', bytes: new Uint8Array() },
    { name: 'a stream that is cut off', bytes: good.subarray(0, good.length - 3) },
    { name: 'a wrong checksum', bytes: Buffer.concat([good.subarray(0, good.length - 1), Buffer.from([(good[good.length - 1] as number) ^ 1])]) },
    { name: 'bytes behind the stream', bytes: Buffer.concat([good, Buffer.from('x')]) },
    { name: 'many bytes behind the stream', bytes: Buffer.concat([good, Buffer.alloc(100_000)]) },
    { name: 'a size that is too small', bytes: deflateSync('blob 5\0hello\n') },
    { name: 'a size that is too large', bytes: deflateSync('blob 7\0hello\n') },
    { name: 'a size beyond all sense', bytes: deflateSync(`blob ${'9'.repeat(40)}\0hello\n`) },
    { name: 'an unknown type', bytes: deflateSync('blub 6\0hello\n') },
    { name: 'no header', bytes: deflateSync('hello\n') },
    { name: 'a small size and an endless stream', bytes: deflateSync(Buffer.concat([Buffer.from('blob 6\0'), Buffer.alloc(20_000_000)])) },
    { name: 'what is no zlib stream', bytes: Buffer.from('blob 6\0hello\n') },
  ]

  test.each(cases)('$name is corrupt', ({ bytes }) => {
    const gitDir = newRepository()
    mkdirSync(join(gitDir, 'objects/ce'))
    writeFileSync(join(gitDir, 'objects/ce', oid.slice(2)), bytes)
    expect(kindOf(() => DiskStore.open(gitDir).get(oid))).toBe('corrupt')
  })

  test('one over the limit is refused before it is inflated', () => {
    const gitDir = newRepository()
    mkdirSync(join(gitDir, 'objects/ce'))
    writeFileSync(join(gitDir, 'objects/ce', oid.slice(2)), deflateSync(Buffer.concat([Buffer.from('blob 20000000\0'), Buffer.alloc(20_000_000)])))
    const store = DiskStore.open(gitDir, { limits: { ...defaultLimits, maxObjectBytes: 1000 } })
    expect(kindOf(() => store.get(oid))).toBe('limit')
    expect(store.findHeader(oid)).toEqual({ type: 'blob', size: 20_000_000 })
  })
})
