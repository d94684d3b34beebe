import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Random } from '../../../test/generate-history.ts'
import { git, temporaryDirectory } from '../../../test/git-fixture.ts'
import { idOf, makeDelta, PackBuilder } from '../../../test/pack-builder.ts'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import type { ObjectType, Oid } from '../objects/oid.ts'
import { SHA1 } from '../objects/oid.ts'
import { kindOf } from './contract.ts'
import { DiskStore, initBareRepository } from './disk.ts'

/** What others may do to a repository's objects while a store has it open, and what the store must then answer. */

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0

/** A repository, and the objects that it must have, kept apart from any code of ours. */
class Model {
  readonly gitDir = join(root.path, `${++made}.git`)
  readonly objects = new Map<Oid, { type: ObjectType; data: Buffer }>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
    initBareRepository(this.gitDir, 'main', SHA1)
  }

  get packs(): string {
    return join(this.gitDir, 'objects/pack')
  }

  note(type: ObjectType, data: Buffer): Oid {
    const oid = createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex') as Oid
    this.objects.set(oid, { type, data })
    return oid
  }

  someBytes(): Buffer {
    const length = this.#random.skewed(this.#random.chance(0.1) ? 100_000 : 900)
    return Buffer.from(this.#random.chance(0.3) ? this.#random.bytes(length) : 'lines that repeat\n'.repeat(length / 10))
  }

  /** A loose object as git would leave it, put there by a rename. */
  addLoose(): void {
    const data = this.someBytes()
    const oid = this.note('blob', data)
    const folder = join(this.gitDir, 'objects', oid.slice(0, 2))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'tmp_obj_x'), deflateSync(Buffer.concat([Buffer.from(`blob ${data.length}\0`), data])))
    renameSync(join(folder, 'tmp_obj_x'), join(folder, oid.slice(2)))
  }

  /** A pack of new objects and of some that are there, with deltas of both kinds; its index made by git. */
  addPack(): void {
    const builder = new PackBuilder()
    const first = new Set<string>()
    for (let i = 0; i < 1 + this.#random.below(6); i++) {
      const data = this.someBytes()
      // git refuses a pack that holds the base of a delta twice.
      if (first.has(data.toString('latin1'))) continue
      first.add(data.toString('latin1'))
      const base = builder.add('blob', data)
      const oid = this.note('blob', data)
      const longer = Buffer.concat([data, Buffer.from(`and ${this.#random.below(1e9)}`)])
      const delta = makeDelta(data.length, longer.length, data.length > 0 ? [[0, data.length], longer.subarray(data.length)] : [longer])
      if (this.#random.chance(0.5)) builder.ofsDelta(base, delta)
      else builder.refDelta(oid, delta)
      this.note('blob', longer)
    }
    const pack = builder.build()
    git(['index-pack', '--stdin'], { cwd: this.gitDir, stdin: pack })
  }

  /** Everything into one pack, the old ones gone, as `git repack -ad` with everything reachable does. */
  consolidate(): void {
    if (this.objects.size === 0) return
    const stdin = [...this.objects.keys()].join('\n')
    const before = readdirSync(this.packs)
    const name = git(['pack-objects', '-q', join(this.packs, 'pack')], { cwd: this.gitDir, stdin })
      .toString()
      .trim()
    for (const file of before) if (!file.includes(name)) rmSync(join(this.packs, file), { force: true })
    git(['prune-packed', '-q'], { cwd: this.gitDir })
  }
}

function check(store: DiskStore, { objects }: Model, random: Random): void {
  for (const [oid, { type, data }] of objects) {
    if (random.chance(0.4)) continue
    const found = store.get(oid)
    if (found.type !== type || !data.equals(found.data)) throw new Error(`${oid} reads otherwise than it was written`)
    expect(store.findHeader(oid)).toEqual({ type, size: data.length })
  }
}

property('whatever is added, consolidated and closed meanwhile, an open store reads every object as it was written', soak(3, 6), (random) => {
  const model = new Model(random)
  const stores = [DiskStore.open(model.gitDir), DiskStore.open(model.gitDir, { cacheBytes: 0 })] as const
  const acts: (() => void)[] = [
    () => model.addLoose(),
    () => model.addPack(),
    () => model.consolidate(),
    () => stores[0].close(),
    () => void stores[1].refresh(),
    () => {
      const data = model.someBytes()
      expect(stores[0].write('blob', data)).toBe(model.note('blob', data))
    },
  ]
  for (let step = 0; step < 25; step++) {
    random.pick(acts)()
    check(random.pick(stores), model, random)
  }
  for (const store of stores) {
    check(store, model, random)
    store.refresh()
    expect(new Set([...store.packedOids(), ...store.looseOids()])).toEqual(new Set(model.objects.keys()))
    for (const oid of [...model.objects.keys()].slice(0, 20)) {
      const prefix = oid.slice(0, 4 + random.below(4))
      expect(store.findByPrefix(prefix, 50)).toEqual([...model.objects.keys()].filter((other) => other.startsWith(prefix)).sort())
    }
    store.close()
  }
  expect(git(['fsck', '--full', '--no-dangling'], { cwd: model.gitDir }).toString()).toBe('')
})

describe('objects that lie in another repository', () => {
  property('are read through alternates as they come and go there; what is written stays here', 3, (random) => {
    const [far, near] = [new Model(random), new Model(random)]
    for (const add of [() => far.addLoose(), () => far.addPack(), () => near.addLoose()]) add()
    const store = DiskStore.open(near.gitDir, { alternates: [join(far.gitDir, 'objects')] })
    for (let step = 0; step < 6; step++) {
      check(store, near, random)
      check(store, far, random)
      random.pick([() => far.addPack(), () => far.consolidate(), () => far.addLoose(), () => near.addPack()])()
    }
    const [shared] = far.objects.keys() as unknown as [Oid]
    const before = git(['count-objects', '-v'], { cwd: far.gitDir }).toString()
    store.write('blob', (far.objects.get(shared) as { data: Buffer }).data)
    store.close()
    expect(git(['count-objects', '-v'], { cwd: far.gitDir }).toString()).toBe(before)
    // Without the other repository what was written here is still here.
    const alone = DiskStore.open(near.gitDir)
    expect(alone.has(shared)).toBe(true)
    alone.close()
  })

  test('are found by their beginning once, however many places have them', () => {
    const random = { below: () => 0, skewed: () => 40, chance: () => false, pick: (items: readonly unknown[]) => items[0] } as unknown as Random
    const [far, near] = [new Model(random), new Model(random)]
    far.addLoose()
    far.addPack()
    near.addLoose()
    near.addPack()
    const store = DiskStore.open(near.gitDir, { alternates: [join(far.gitDir, 'objects')] })
    for (const oid of far.objects.keys()) expect(store.findByPrefix(oid.slice(0, 10), 5)).toEqual([oid])
    store.close()
  })
})

describe('a damaged object', () => {
  const text = Buffer.from('a text that is long enough for a few instructions\n'.repeat(20))
  const oid = idOf('blob', text) as Oid
  const flip = (bytes: Buffer, at: number): Buffer => {
    const bad = Buffer.from(bytes)
    bad[at] = (bad[at] as number) ^ (1 << (at % 8))
    return bad
  }

  test('that is loose: whichever byte of its file is changed or cut off, an error, never other bytes', () => {
    const gitDir = join(root.path, 'loose-damage.git')
    initBareRepository(gitDir, 'main', SHA1)
    const writer = DiskStore.open(gitDir)
    writer.write('blob', text)
    const path = join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2))
    const good = readFileSync(path)
    const wrong: string[] = []
    for (let at = 0; at < good.length; at++) {
      for (const bad of [flip(good, at), good.subarray(0, at)]) {
        rmSync(path)
        writeFileSync(path, bad)
        const kind = kindOf(() => {
          const { type, data } = writer.get(oid)
          if (type !== 'blob' || !text.equals(data)) wrong.push(`byte ${at}`)
        })
        expect(kind === undefined || kind === 'corrupt' || kind === 'limit').toBe(true)
      }
    }
    expect(wrong).toEqual([])
  })

  /** Where what begins in a pack of one blob: its header, the entry's header, the zlib stream with its checksum, the pack's checksum. */
  test('that is packed: whichever byte of its content is changed, an error, never other bytes', () => {
    const gitDir = join(root.path, 'pack-damage.git')
    initBareRepository(gitDir, 'main', SHA1)
    const builder = new PackBuilder()
    const longer = Buffer.concat([text, Buffer.from('more')])
    const at = builder.add('blob', text)
    const deltaAt = builder.ofsDelta(at, makeDelta(text.length, longer.length, [[0, text.length], 'more']))
    const good = Buffer.from(builder.build())
    const name = git(['index-pack', '--stdin'], { cwd: gitDir, stdin: good }).toString().trim().split('\t')[1]
    const path = join(gitDir, `objects/pack/pack-${name}.pack`)
    const wrong: string[] = []
    // The two bytes of each entry's header say type and size: a type that was changed into another is for `doctor` to find.
    const headers = new Set([at, deltaAt])
    for (let byte = 0; byte < good.length; byte++) {
      if (headers.has(byte)) continue
      rmSync(path)
      writeFileSync(path, flip(good, byte))
      const store = DiskStore.open(gitDir, { cacheBytes: 0 })
      for (const [id, content] of [
        [oid, text],
        [idOf('blob', longer) as Oid, longer],
      ] as const) {
        const kind = kindOf(() => {
          if (!content.equals(store.get(id).data)) wrong.push(`byte ${byte}`)
        })
        expect(kind === undefined || kind === 'corrupt' || kind === 'limit').toBe(true)
      }
      store.close()
    }
    expect(wrong).toEqual([])
  })
})

test('objects of a repository that is removed while it is open are missing, not an unknown error', () => {
  const random = { below: () => 0, skewed: () => 40, chance: () => false, pick: (items: readonly unknown[]) => items[0] } as unknown as Random
  const model = new Model(random)
  model.addPack()
  model.addLoose()
  const store = DiskStore.open(model.gitDir, { cacheBytes: 0 })
  const oids = [...model.objects.keys()]
  for (const oid of oids) expect(store.has(oid)).toBe(true)
  store.close()
  rmSync(model.gitDir, { recursive: true })
  expect(existsSync(model.gitDir)).toBe(false)
  for (const oid of oids) expect([store.has(oid), store.findByPrefix(oid.slice(0, 8), 2), kindOf(() => store.get(oid))]).toEqual([false, [], 'missing'])
})
