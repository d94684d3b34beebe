import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../../test/git.ts'
import { honestPack } from '../../../test/hostile-packs.ts'
import { PackBuilder } from '../../../test/pack-builder.ts'
import type { Oid } from '../objects/oid.ts'
import { SHA1 } from '../objects/oid.ts'
import { kindOf } from '../store/contract.ts'
import { PackIndex } from './pack-index.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Lets git index a pack of many small blobs; answers the index and what git says is in it. */
async function indexed(version: string): Promise<{ path: string; rows: { offset: number; oid: Oid; crc: number }[] }> {
  const builder = new PackBuilder()
  for (let i = 0; i < 3000; i++) builder.add('blob', `blob ${i}`)
  const path = join(directory, `${version.replace(',', '-')}.idx`)
  await Bun.write(path.replace('.idx', '.pack'), builder.build())
  await git(['index-pack', `--index-version=${version}`, '-o', path, path.replace('.idx', '.pack')], { cwd: directory })
  const shown = await git(['show-index'], { input: readFileSync(path), cwd: directory })
  const rows = shown.split('\n').map((line) => line.split(/[ ()]+/))
  return { path, rows: rows.map(([offset, oid, crc = '']) => ({ offset: Number(offset), oid: oid as Oid, crc: Number.parseInt(crc, 16) })) }
}

describe.each(['2', '2,0x1000'])('an index of version %s', (version) => {
  let index: PackIndex
  let rows: Awaited<ReturnType<typeof indexed>>['rows']

  beforeAll(async () => {
    const made = await indexed(version)
    index = PackIndex.open(made.path, SHA1)
    rows = made.rows
  })

  test('says what git says, short offsets or long', () => {
    expect(index.count).toBe(rows.length)
    expect(rows.map((_, i) => ({ offset: index.offsetAt(i), oid: index.oidAt(i), crc: index.crcAt(i) }))).toEqual(rows)
  })

  test('finds every id by text and by bytes, and no other', () => {
    for (const [i, { oid }] of rows.entries()) {
      expect([index.find(oid), index.findRaw(index.rawAt(i), 0)]).toEqual([i, i])
      const other = Buffer.from(oid, 'hex')
      other[19] = (other[19] as number) ^ 1
      expect([index.findRaw(other, 0), index.isAt(i, other, 0)]).toEqual([-1, false])
    }
    expect(index.find('abc' as Oid)).toBe(-1)
  })

  test('knows the ids that begin alike', () => {
    for (const prefix of ['0000', 'ffff', ...rows.slice(0, 200).map(({ oid }, i) => oid.slice(0, 1 + (i % 40)))]) {
      const { from, to } = index.prefixRange(prefix)
      expect(rows.slice(from, to)).toEqual(rows.filter(({ oid }) => oid.startsWith(prefix)))
    }
  })

  test('sorts positions by offset', () => {
    const sorted = rows.map((_, i) => i).sort((a, b) => Number(rows[a]?.offset) - Number(rows[b]?.offset))
    expect([...index.offsetOrder()]).toEqual(sorted)
  })
})

test('an index that its user may not write to is read all the same', async () => {
  const { path, rows } = await indexed('2')
  chmodSync(path, 0o400)
  expect(PackIndex.open(path, SHA1).count).toBe(rows.length)
})

describe('what is no index', () => {
  let good: Buffer

  beforeAll(async () => {
    await Bun.write(join(directory, 'honest.pack'), honestPack())
    await git(['index-pack', 'honest.pack'], { cwd: directory })
    good = readFileSync(join(directory, 'honest.idx'))
  })

  test('version 1 is refused, and named', async () => {
    const { path } = await indexed('1')
    expect(() => PackIndex.open(path, SHA1)).toThrow(/it is not in version 2/)
  })

  test('one that is not there is missing', () => {
    expect(kindOf(() => PackIndex.open(join(directory, 'none.idx'), SHA1))).toBe('missing')
  })

  test('one that is cut off anywhere, or continued, is corrupt', () => {
    for (let length = 0; length < good.length; length++) expect(kindOf(() => new PackIndex('x.idx', good.subarray(0, length), SHA1))).toBe('corrupt')
    for (const more of [1, 7, 8 * 1000]) expect(kindOf(() => new PackIndex('x.idx', Buffer.concat([good, Buffer.alloc(more)]), SHA1))).toBe('corrupt')
  })

  test('whatever byte is changed, lookups end in an answer or in a GitError', () => {
    const oids = Array.from({ length: good.readUInt32BE(8 + 255 * 4) }, (_, i) => new PackIndex('x.idx', good, SHA1).oidAt(i))
    for (let at = 0; at < good.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const bad = Buffer.from(good)
        bad[at] = value
        kindOf(() => {
          const index = new PackIndex('x.idx', bad, SHA1)
          for (const oid of oids) index.find(oid)
          for (let i = 0; i < index.count; i++) index.offsetAt(i)
          index.prefixRange('abcd')
          index.offsetOrder()
        })
      }
    }
  })
})
