import { afterAll, expect, test } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, makeHistory, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { honestPack } from '../../../../test/hostile-packs.ts'
import { outcome } from '../../../../test/outcome.ts'
import { makeDelta, PackBuilder } from '../../../../test/pack-builder.ts'
import { PATIENCE } from '../../../../test/seeds.ts'
import { GitError } from '../../errors.ts'
import { defaultLimits } from '../../limits.ts'
import { verifyPack } from './verify.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
makeHistory(join(root.path, 'origin.git'), { commits: 60, files: 20 })
const packed = git(['pack-objects', '--revs', '--all', '-q', join(root.path, 'pack')], { cwd: join(root.path, 'origin.git'), stdin: '' })
const packPath = join(root.path, `pack-${packed.toString().trim()}.pack`)
const idxPath = packPath.replace('.pack', '.idx')

function damaged(path: string, change: (bytes: Buffer) => Uint8Array): string {
  const copy = `${path}.damaged`
  writeFileSync(copy, change(readFileSync(path)))
  chmodSync(copy, 0o644)
  return copy
}

function flipped(at: number): (bytes: Buffer) => Uint8Array {
  return (bytes) => {
    bytes[at < 0 ? bytes.length + at : at] = (bytes[at < 0 ? bytes.length + at : at] as number) ^ 1
    return bytes
  }
}

test('a pack and index made by git pass, whatever the limits on a push are', async () => {
  const limits = { ...defaultLimits, maxPackBytes: 1, maxPackObjects: 1, maxInflatedBytes: 1 }
  const verified = await verifyPack(packPath, idxPath, limits)
  expect(verified.bytes).toBe(readFileSync(packPath).length)
  expect(verified.objects).toBe(readFileSync(packPath).readUInt32BE(8))
})

const faults: [name: string, pack: ((bytes: Buffer) => Uint8Array) | undefined, idx: ((bytes: Buffer) => Uint8Array) | undefined, expected: RegExp][] = [
  ['a byte changed in the pack', flipped(5000), undefined, /^Cannot verify pack: /],
  ['another checksum', flipped(-1), undefined, /checksum does not match/],
  ['a pack cut off', (bytes) => bytes.subarray(0, -30), undefined, /truncated/],
  ['an id changed in the index', undefined, flipped(1100), /its index does not match its content/],
  ['an index cut off', undefined, (bytes) => bytes.subarray(0, -1), /its index does not match its content/],
  ['an index that goes on', undefined, (bytes) => Buffer.concat([bytes, Buffer.from('x')]), /its index has extra data at the end/],
]
for (const [name, pack, idx, expected] of faults) {
  test(`${name} is found`, async () => {
    const paths = [pack ? damaged(packPath, pack) : packPath, idx ? damaged(idxPath, idx) : idxPath] as const
    expect(await outcome(verifyPack(...paths, defaultLimits))).toThrow(expected)
  })
}

test('a thin pack on disk is found', async () => {
  const builder = new PackBuilder()
  builder.refDelta('1'.repeat(40), makeDelta(10, 5, [[0, 5]]))
  const thin = join(root.path, 'thin.pack')
  writeFileSync(thin, builder.build())
  expect(await outcome(verifyPack(thin, idxPath, defaultLimits))).toThrow(/^Cannot verify pack: .*delta base 1{40} is neither/)
})

test(
  'a change of any byte of a pack or of its index is found',
  async () => {
    const [pack, idx] = [join(root.path, 'honest.pack'), join(root.path, 'honest.idx')]
    writeFileSync(pack, honestPack())
    git(['index-pack', pack], { cwd: root.path })
    const limits = { ...defaultLimits, deltaCacheBytes: 1 << 16 }
    expect((await verifyPack(pack, idx, limits)).objects).toBe(7)
    const missed: string[] = []
    for (const path of [pack, idx]) {
      const good = readFileSync(path)
      const bad = join(root.path, `bad${path === pack ? '.pack' : '.idx'}`)
      for (let at = 0; at < good.length; at++) {
        writeFileSync(bad, flipped(at)(Buffer.from(good)))
        const isFound = await verifyPack(path === pack ? bad : pack, path === pack ? idx : bad, limits).then(
          () => false,
          (error: unknown) => error instanceof GitError,
        )
        if (!isFound) missed.push(`byte ${at} of ${path}`)
      }
    }
    expect(missed).toEqual([])
  },
  PATIENCE,
)
