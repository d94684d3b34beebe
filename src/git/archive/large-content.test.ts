import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Random } from '../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { outcome } from '../../../test/outcome.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { checkpointOf } from '../checkpoint.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { kindOf } from '../store/contract.ts'
import { DiskStore } from '../store/disk.ts'
import type { EntryContent } from './archive-writer.ts'
import { blobContent, LARGE_BYTES } from './content.ts'
import type { ArchiveOptions } from './options.ts'
import { writeArchive } from './write-archive.ts'

/** Files too large to be held as a whole come in pieces, wherever they lie; nobody who unpacks an archive sees a difference. */

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const path = join(root.path, 'large.git')
initBare(path)
// Compression is not what is tried here.
git(['config', 'core.compression', '1'], { cwd: path })

const BLOCK = 24_000

/** Text that does not become nothing when it is deflated. */
function text(length: number, seed: number): Buffer {
  const random = new Random(seed)
  const words = Array.from({ length: 400 }, () => Buffer.from(random.bytes(9)).toString('base64'))
  const lines: string[] = []
  // The same again and again, which `Random` would take seconds for otherwise.
  for (let size = 0; size < BLOCK; ) {
    const line = `${random.pick(words)} ${random.pick(words)} ${random.below(1e6)}\n`
    lines.push(line)
    size += line.length
  }
  return Buffer.alloc(length, lines.join(''))
}

const base = text(LARGE_BYTES + 70_001, 1)
const files: Record<string, Buffer> = {
  'just small': base.subarray(0, LARGE_BYTES),
  'just large': base.subarray(0, LARGE_BYTES + 1),
  base,
  // Of which git makes deltas.
  'nearly the base': Buffer.concat([base.subarray(0, 1_000_000), Buffer.from('another line\n'), base.subarray(1_000_000)]),
  'zeros to no end': Buffer.alloc(LARGE_BYTES * 2),
}

function write(): { tree: Oid; oids: Map<string, Oid> } {
  const oids = new Map<string, Oid>()
  const names = Object.keys(files)
  const paths = names.map((_, at) => join(root.path, `file-${at}`))
  for (const [at, name] of names.entries()) writeFileSync(paths[at] as string, files[name] as Buffer)
  const written = git(['hash-object', '-w', ...paths], { cwd: path })
    .toString()
    .trim()
    .split('\n')
  for (const [at, name] of names.entries()) oids.set(name, written[at] as Oid)
  const lines = [...oids].map(([name, oid]) => `100644 blob ${oid}\t${name}\n`).join('')
  const tree = git(['mktree'], { cwd: path, stdin: lines }).toString().trim() as Oid
  git(['update-ref', 'refs/tags/kept', tree], { cwd: path })
  git(['repack', '-q', '-a', '-d', '-f'], { cwd: path })
  return { tree, oids }
}

const { tree, oids } = write()
const store = DiskStore.open(path)
afterAll(() => store.close())

async function piecesOf(content: EntryContent): Promise<Uint8Array[]> {
  return Array.fromAsync(content.pieces() as AsyncIterable<Uint8Array>, (piece) => new Uint8Array(piece))
}

function isDelta(oid: Oid): boolean {
  const place = store.locate(oid)
  if (place === undefined) throw new Error('It is not packed')
  return place.pack.entryHeaderAt(place.pack.index.offsetAt(place.position)).baseAt >= 0
}

describe('the content of a blob', () => {
  test.each(Object.keys(files))(
    '%s is its bytes, in pieces none of which is large',
    async (name) => {
      const [data, oid] = [files[name] as Buffer, oids.get(name) as Oid]
      const content = blobContent(store, oid)
      const isLarge = data.length > LARGE_BYTES
      expect([content.size, content.isLarge]).toEqual([data.length, isLarge])
      const pieces = await piecesOf(content)
      expect(Buffer.concat(pieces).equals(data)).toBe(true)
      if (isLarge) expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1024 * 1024)
      if (isLarge) expect(kindOf(() => content.whole())).toBe('limit')
      else expect(Buffer.compare(content.whole(), data)).toBe(0)
      // Whoever asks again gets it all again: sums are made of it before it is sent.
      expect(crc32(Buffer.concat(await piecesOf(content)))).toBe(crc32(data))
    },
    PATIENCE,
  )

  test('is tried where it lies whole and where it is a delta of another', () => {
    const large = [...oids].filter(([name]) => (files[name] as Buffer).length > LARGE_BYTES).map(([, oid]) => isDelta(oid))
    expect([large.includes(true), large.includes(false)]).toEqual([true, true])
  })

  test('comes in pieces where it is loose, too', async () => {
    const data = text(LARGE_BYTES + 3, 2)
    const loose = git(['hash-object', '-w', '--stdin'], { cwd: path, stdin: data }).toString().trim() as Oid
    const pieces = await piecesOf(blobContent(store, loose))
    expect(Buffer.concat(pieces).equals(data)).toBe(true)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024)
  })

  test('that is loose, or not there, is told from one that is', () => {
    const loose = git(['hash-object', '-w', '--stdin'], { cwd: path, stdin: 'loose\n' }).toString().trim() as Oid
    expect(Buffer.from(blobContent(store, loose).whole()).toString()).toBe('loose\n')
    expect(kindOf(() => blobContent(store, '1'.repeat(40) as Oid))).toBe('missing')
    expect(kindOf(() => blobContent(store, tree))).toBe('corrupt')
  })
})

async function archived(options: ArchiveOptions): Promise<string> {
  const pieces: Uint8Array[] = []
  const context = { limits: defaultLimits, checkpoint: checkpointOf() }
  await writeArchive(store, tree, options, context, { write: (bytes) => void pieces.push(bytes), end: () => {} })
  const file = join(root.path, `made.${options.format}`)
  writeFileSync(file, Buffer.concat(pieces))
  return file
}

describe('an archive of files that large', () => {
  test.each([['tar', ['tar', '-xf']] as const, ['tar.gz', ['tar', '-xzf']] as const])(
    'as %s is unpacked to the very same files',
    async (format, command) => {
      const file = await archived({ format })
      const into = join(root.path, `from-${format}`)
      mkdirSync(into)
      expect(Bun.spawnSync([...command, file, '-C', into]).exitCode).toBe(0)
      for (const [name, data] of Object.entries(files)) expect(readFileSync(join(into, name)).equals(data)).toBe(true)
    },
    PATIENCE,
  )

  test.skipIf(Bun.which('unzip') === null)(
    'as zip is unpacked to the very same files',
    async () => {
      const file = await archived({ format: 'zip' })
      const into = join(root.path, 'from-zip')
      mkdirSync(into)
      const ran = Bun.spawnSync(['unzip', '-q', file, '-d', into])
      expect([ran.exitCode, ran.stderr.toString()]).toEqual([0, ''])
      for (const [name, data] of Object.entries(files)) expect(readFileSync(join(into, name)).equals(data)).toBe(true)
    },
    PATIENCE,
  )
})

/** A repository of one pack with the large file alone, made once. */
function honestRepository(): string {
  const honest = join(root.path, 'honest.git')
  if (existsSync(honest)) return honest
  initBare(honest)
  const pack = git(['pack-objects', '--stdout', '-q'], { cwd: path, stdin: `${oids.get('base')}\n` })
  git(['index-pack', '--stdin'], { cwd: honest, stdin: pack })
  return honest
}

/** The large file's entry, whose header then says another size in as many bytes. */
function storeWithLyingSize(difference: number): { store: DiskStore; oid: Oid } {
  const lying = join(root.path, `lying${difference}.git`)
  cpSync(honestRepository(), lying, { recursive: true })
  const oid = oids.get('base') as Oid
  const packs = join(lying, 'objects/pack')
  const file = Array.from(new Bun.Glob('*.pack').scanSync(packs), (one) => join(packs, one))[0] as string
  const bytes = readFileSync(file)
  // Source: `Documentation/gitformat-pack.txt`: four bits, then seven of each further byte.
  const size = base.length + difference
  bytes[12] = ((bytes[12] as number) & 0xf0) | (size & 15)
  for (let at = 13, rest = size >> 4; ; at++, rest >>= 7) {
    bytes[at] = ((bytes[at] as number) & 0x80) | (rest & 0x7f)
    if (((bytes[at] as number) & 0x80) === 0) break
  }
  chmodSync(file, 0o644)
  writeFileSync(file, bytes)
  return { store: DiskStore.open(lying), oid }
}

test.each([-1, 1, 1000, -60_000])(
  'a file whose header says %d bytes more than there are is an error, not a shorter or longer file',
  async (difference) => {
    const { store: lying, oid } = storeWithLyingSize(difference)
    const pieces = piecesOf(blobContent(lying, oid))
    expect(await outcome(pieces)).toThrow('bytes that its header declares')
    await pieces.catch(() => {})
    lying.close()
  },
  PATIENCE,
)
