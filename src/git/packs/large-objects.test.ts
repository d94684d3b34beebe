import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MapStore } from '../../../test/map-store.ts'
import { idOf, makeDelta, PackBuilder } from '../../../test/pack-builder.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { SHA1 } from '../objects/oid.ts'
import { PackIndex } from './pack-index.ts'
import { type ReceivePackOptions, receivePack } from './receive.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true }))

const MiB = 2 ** 20
const seed = Buffer.alloc(65_536, 'seed')

/** A delta that makes `size` bytes by copying `from` over and over. */
function repeating(from: number, size: number): Uint8Array {
  const ops: [number, number][] = []
  for (let left = size; left > 0; left -= from) ops.push([0, Math.min(left, from)])
  return makeDelta(from, size, ops)
}

function contentOf(size: number): Buffer {
  return Buffer.alloc(size, seed)
}

let count = 0

async function idsOf(pack: Uint8Array, options: Partial<ReceivePackOptions> = {}): Promise<Oid[]> {
  const own = join(directory, `${++count}`)
  mkdirSync(own)
  const source = (async function* () {
    yield pack
  })()
  const { idxPath } = await receivePack(source, { directory: own, store: new MapStore(), limits: defaultLimits, tips: [], ...options })
  const index = PackIndex.open(idxPath, SHA1)
  return Array.from({ length: index.count }, (_, position) => index.oidAt(position))
}

describe('large blobs made by deltas have their names', () => {
  const [small, large, larger] = [3 * MiB, 9 * MiB + 17, 33 * MiB + 1]

  test('when nothing is made from them, and when something is', async () => {
    const builder = new PackBuilder()
    const base = builder.add('blob', seed)
    builder.ofsDelta(base, repeating(seed.length, small))
    const middle = builder.ofsDelta(base, repeating(seed.length, large))
    builder.ofsDelta(
      middle,
      makeDelta(large, larger, [
        [0, large],
        [0, large],
        [0, large],
        [0, larger - 3 * large],
      ]),
    )
    const last = Buffer.concat([contentOf(large), contentOf(large), contentOf(large), contentOf(large)]).subarray(0, larger)
    const expected = [seed, contentOf(small), contentOf(large), last].map((data) => idOf('blob', data))
    expect(await idsOf(builder.build())).toEqual(expected.sort() as Oid[])
  })

  test('when something turns out by its name to be made from them', async () => {
    const builder = new PackBuilder()
    const base = builder.add('blob', seed)
    const name = idOf('blob', contentOf(large))
    builder.refDelta(name, makeDelta(large, 5, [[3, 5]]))
    builder.ofsDelta(base, repeating(seed.length, large))
    const expected = [idOf('blob', seed), name, idOf('blob', contentOf(large).subarray(3, 8))]
    expect(await idsOf(builder.build())).toEqual(expected.sort() as Oid[])
  })

  test('and take their turn when bases of tens of megabytes have to be held', async () => {
    const builder = new PackBuilder()
    const base = builder.ofsDelta(builder.add('blob', seed), repeating(seed.length, larger))
    builder.ofsDelta(base, makeDelta(larger, 1, [[0, 1]]))
    let turns = 0
    const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
      turns++
      return work()
    }
    await idsOf(builder.build(), { exclusively })
    expect(turns).toBe(1)
    const leaf = new PackBuilder()
    leaf.ofsDelta(leaf.add('blob', seed), repeating(seed.length, larger))
    await idsOf(leaf.build(), { exclusively })
    expect(turns).toBe(1)
  })

  test('and take their turn when they are compared with what is stored already, of which another is refused', async () => {
    const builder = new PackBuilder()
    builder.ofsDelta(builder.add('blob', seed), repeating(seed.length, larger))
    const name = idOf('blob', contentOf(larger)) as Oid
    const store = new MapStore()
    let turns = 0
    const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
      turns++
      return work()
    }
    store.objects.set(name, { type: 'blob', data: contentOf(larger) })
    expect(await idsOf(builder.build(), { exclusively, store })).toContain(name)
    store.objects.set(name, { type: 'blob', data: contentOf(larger + 1).subarray(1) })
    await expect(idsOf(builder.build(), { exclusively, store })).rejects.toThrow(`collision: its object ${name} differs`)
    expect(turns).toBe(2)
  })
})

test.skipIf(process.platform !== 'linux')('a kilobyte that comes to half a gigabyte takes no memory to speak of', () => {
  const script = `
    import { readFileSync } from 'node:fs'
    import { MapStore } from '${join(import.meta.dir, '../../../test/map-store.ts')}'
    import { makeDelta, PackBuilder } from '${join(import.meta.dir, '../../../test/pack-builder.ts')}'
    import { defaultLimits } from '${join(import.meta.dir, '../limits.ts')}'
    import { receivePack } from '${join(import.meta.dir, 'receive.ts')}'
    const builder = new PackBuilder()
    const base = builder.add('blob', Buffer.alloc(65536))
    const copies = Array.from({ length: 4000 }, () => [0, 65536])
    for (let i = 0; i < 2; i++) builder.ofsDelta(base, makeDelta(65536, 4000 * 65536 + i, [...copies, 'x'.repeat(i)].filter((op) => op !== '')))
    const peak = () => Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
    const before = peak()
    await receivePack((async function* () { yield builder.build() })(), { directory: process.argv[1], store: new MapStore(), limits: defaultLimits, tips: [] })
    console.log(peak() - before)
  `
  const own = join(directory, 'memory')
  mkdirSync(own)
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '-e', script, own])
  expect(stderr.toString()).toBe('')
  expect(Number(stdout.toString())).toBeLessThan(100)
})
