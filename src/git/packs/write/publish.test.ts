import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { MapStore } from '../../../../test/map-store.ts'
import { idOf, PackBuilder } from '../../../../test/pack-builder.ts'
import { defaultLimits } from '../../limits.ts'
import type { Oid } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import { DiskStore, initBareRepository } from '../../store/disk.ts'
import { receivePack } from '../receive/receive.ts'
import { publishPacks, removePack } from './publish.ts'

/** What a crash at each step leaves of a pack that is being published: a store must see all of it or nothing, and publishing again must work. */

const scratch = mkdtempSync(join(tmpdir(), 'pf-'))
const content = 'published'
const oid = idOf('blob', content) as Oid
let quarantine = ''
let made = 0

beforeAll(async () => {
  quarantine = join(scratch, 'quarantine')
  mkdirSync(quarantine)
  const builder = new PackBuilder()
  builder.add('blob', content)
  const source = (async function* () {
    yield builder.build()
  })()
  await receivePack(source, { directory: quarantine, store: new MapStore(), limits: defaultLimits, tips: [] })
})
afterAll(() => rmSync(scratch, { recursive: true }))

interface Place {
  gitDir: string
  packs: string
  /** The pack in a quarantine of its own. */
  incoming: string
}

function newPlace(): Place {
  const gitDir = join(scratch, `${++made}.git`)
  initBareRepository(gitDir, 'main', SHA1)
  const incoming = join(gitDir, 'objects/tmp_incoming-x')
  cpSync(quarantine, incoming, { recursive: true })
  const name = readdirSync(incoming).find((file) => file.endsWith('.pack')) as string
  return { gitDir, packs: join(gitDir, 'objects/pack'), incoming: join(incoming, name) }
}

function indexOf(pack: string): string {
  return pack.replace(/\.pack$/, '.idx')
}

function sees(gitDir: string): boolean {
  const store = DiskStore.open(gitDir)
  try {
    return store.find(oid) !== undefined
  } finally {
    store.close()
  }
}

describe('a pack', () => {
  test('is seen once it is published, by stores that were open before, too', () => {
    const { gitDir, packs, incoming } = newPlace()
    const open = DiskStore.open(gitDir)
    expect(open.find(oid)).toBeUndefined()
    expect([...publishPacks([incoming], packs)]).toEqual([basename(incoming, '.pack')])
    open.refresh()
    expect(Buffer.from(open.get(oid).data).toString()).toBe(content)
    open.close()
  })

  test('of which a crash left only the index is not seen, and can be published again', () => {
    const { gitDir, packs, incoming } = newPlace()
    copyFileSync(indexOf(incoming), join(packs, basename(indexOf(incoming))))
    expect(sees(gitDir)).toBe(false)
    publishPacks([incoming], packs)
    expect(sees(gitDir)).toBe(true)
  })

  test('that was published before is published again without harm', () => {
    const { gitDir, packs, incoming } = newPlace()
    const again = join(gitDir, 'objects/tmp_incoming-again')
    cpSync(quarantine, again, { recursive: true })
    publishPacks([incoming], packs)
    publishPacks([join(again, basename(incoming))], packs)
    expect(sees(gitDir)).toBe(true)
    expect(readdirSync(packs)).toHaveLength(2)
  })

  test('that is in place has its index in place: the pack goes last', () => {
    const { packs, incoming } = newPlace()
    // A directory in the pack's place makes its rename fail, as a crash just before it would.
    mkdirSync(join(packs, basename(incoming), 'in the way'), { recursive: true })
    expect(() => publishPacks([incoming], packs)).toThrow()
    expect([incoming, join(packs, basename(indexOf(incoming)))].map(existsSync)).toEqual([true, true])
  })

  test.each(['.pack', '.idx'])('whose %s is gone from the quarantine is not said to be published', (ending) => {
    const { gitDir, packs, incoming } = newPlace()
    rmSync(incoming.replace(/\.pack$/, ending))
    expect(() => publishPacks([incoming], packs)).toThrow('ENOENT')
    expect(sees(gitDir)).toBe(false)
  })

  test('that is removed goes before its index', () => {
    const { packs, incoming } = newPlace()
    publishPacks([incoming], packs)
    const path = join(packs, basename(incoming))
    rmSync(indexOf(path))
    mkdirSync(indexOf(path))
    expect(() => removePack(path)).toThrow()
    expect(existsSync(path)).toBe(false)
  })

  test('two packs that are published at once are both seen', async () => {
    const { gitDir, packs, incoming } = newPlace()
    const second = join(gitDir, 'objects/tmp_incoming-y')
    mkdirSync(second)
    const builder = new PackBuilder()
    builder.add('blob', 'the other')
    const source = (async function* () {
      yield builder.build()
    })()
    const { packPath } = await receivePack(source, { directory: second, store: new MapStore(), limits: defaultLimits, tips: [] })
    expect(publishPacks([incoming, packPath], packs).size).toBe(2)
    const store = DiskStore.open(gitDir)
    expect([oid, idOf('blob', 'the other') as Oid].map((id) => store.has(id))).toEqual([true, true])
    store.close()
  })
})
