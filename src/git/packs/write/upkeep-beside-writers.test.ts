import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Random } from '../../../../test/generate-history.ts'
import { git, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { outcome } from '../../../../test/outcome.ts'
import { property, shuffled } from '../../../../test/seeds.ts'
import { soak } from '../../../../test/soak.ts'
import { CommitSource } from '../../history/commit-source.ts'
import { defaultLimits } from '../../limits.ts'
import { type Oid, SHA1 } from '../../objects/oid.ts'
import { encodeTree } from '../../objects/tree.ts'
import { DiskStore, initBareRepository } from '../../store/disk.ts'
import { receivePack } from '../receive/receive.ts'
import { type Consolidated, consolidate, joinSmallPacks } from './consolidate.ts'
import { copyMissing } from './copy-missing.ts'
import { packObjects } from './pack-objects.ts'
import { publishPacks } from './publish.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
let made = 0
const newDirectory = () => {
  const path = join(root.path, `d${++made}`)
  mkdirSync(path)
  return path
}

/** A repository that is written to by pushes and single objects, with refs that come, move and go. */
class Busy {
  readonly gitDir = join(root.path, `r${++made}.git`)
  readonly store: DiskStore
  readonly refs = new Map<string, Oid>()
  #count = 0

  constructor() {
    initBareRepository(this.gitDir, 'main', SHA1)
    this.store = DiskStore.open(this.gitDir)
  }

  get packDirectory(): string {
    return join(this.gitDir, 'objects/pack')
  }

  /** The objects of a commit with a new file, on a parent or on none. */
  #objects(parent: Oid | undefined) {
    const number = ++this.#count
    const blob = Buffer.from(`${'shared line\n'.repeat(50)}${number}\n`)
    const blobId = hash('blob', blob)
    const tree = Buffer.from(encodeTree([{ mode: 0o100644, name: `f${number % 5}`, oid: blobId }]))
    const who = `A <a@example.org> ${1_000_000_000 + number} +0000`
    const text = `tree ${hash('tree', tree)}\n${parent ? `parent ${parent}\n` : ''}author ${who}\ncommitter ${who}\n\n${number}\n`
    return { blob, tree, commit: Buffer.from(text), tip: hash('commit', Buffer.from(text)) }
  }

  /** A push: a pack of its own. */
  async push(name: string): Promise<Oid> {
    const { blob, tree, commit, tip } = this.#objects(this.refs.get(name))
    const objects = [
      { type: 'commit' as const, data: commit },
      { type: 'tree' as const, data: tree },
      { type: 'blob' as const, data: blob },
    ]
    const received = await receivePack(packObjects(objects), { directory: newDirectory(), store: this.store, limits: defaultLimits, tips: [tip] })
    publishPacks([received.packPath], this.packDirectory)
    this.refs.set(name, tip)
    return tip
  }

  /** A commit written object by object. */
  write(name: string): void {
    const { blob, tree, commit, tip } = this.#objects(this.refs.get(name))
    this.store.write('blob', blob)
    this.store.write('tree', tree)
    this.store.write('commit', commit)
    this.refs.set(name, tip)
  }

  async consolidate(checkpoint: () => Promise<void> | undefined, cutoff = Number.POSITIVE_INFINITY, tips = [...this.refs.values()]): Promise<Consolidated> {
    const store = DiskStore.open(this.gitDir)
    const objects = join(this.gitDir, 'objects')
    const outcome = await consolidate(store, new CommitSource(store), { tips, cutoff, objects, directory: newDirectory(), limits: defaultLimits, checkpoint })
    store.close()
    return outcome
  }

  replace({ packs, replaced }: Consolidated): void {
    const kept = publishPacks(packs, this.packDirectory)
    for (const path of replaced.packs) {
      const stem = path.slice(0, -'.pack'.length)
      if (!kept.has(basename(stem))) for (const ending of ['.idx', '.pack', '.mtimes']) rmSync(stem + ending, { force: true })
    }
    for (const oid of replaced.loose) rmSync(join(this.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)), { force: true })
  }

  /** Stock git finds all that refs reach, whole. */
  expectWhole(): void {
    git(['update-ref', '--stdin'], { cwd: this.gitDir, stdin: [...this.refs].map(([name, oid]) => `update refs/heads/${name} ${oid}\n`).join('') })
    git(['fsck', '--full', '--strict', '--no-dangling', '--connectivity-only'], { cwd: this.gitDir })
    const known = new Set(git(['for-each-ref', '--format=%(refname:lstrip=2)'], { cwd: this.gitDir }).toString().trim().split('\n'))
    for (const name of this.refs.keys()) expect(known.has(name)).toBe(true)
    this.store.refresh()
    for (const oid of this.refs.values()) expect(this.store.get(oid, 'commit').type).toBe('commit')
  }

  drop(name: string): void {
    this.refs.delete(name)
    git(['update-ref', '-d', `refs/heads/${name}`], { cwd: this.gitDir })
  }
}

function hash(type: string, data: Uint8Array): Oid {
  return new Bun.CryptoHasher('sha1')
    .update(`${type} ${data.length}\0`)
    .update(data as Uint8Array<ArrayBuffer>)
    .digest('hex') as Oid
}

const names = ['a', 'b', 'c', 'd']

/** Calls `work` at the step that comes after `steps` others. */
function after(steps: number, work: () => Promise<void> | void): () => Promise<void> | undefined {
  let left = steps
  return () => (left-- === 0 ? Promise.resolve(work()) : undefined)
}

async function someLife(random: Random, busy: Busy, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) {
    const name = random.pick(names)
    if (random.chance(0.15) && busy.refs.has(name) && busy.refs.size > 1) busy.drop(name)
    else if (random.chance(0.3)) busy.write(name)
    else await busy.push(name)
  }
}

describe('upkeep', () => {
  property('loses nothing that a push brings while it is at work, whenever that is', soak(2, 3), async (random) => {
    const busy = new Busy()
    await someLife(random, busy, 12)
    for (let round = 0; round < 2; round++) {
      const outcome = await busy.consolidate(after(random.below(40), async () => void (await busy.push(random.pick(names)))))
      await busy.push(random.pick(names))
      busy.replace(outcome)
      busy.expectWhole()
    }
    busy.store.close()
  })

  property('loses no object that is written singly while it is at work, whenever that is', soak(2, 3), async (random) => {
    const busy = new Busy()
    await someLife(random, busy, 8)
    for (let round = 0; round < 2; round++) {
      const outcome = await busy.consolidate(after(random.below(60), () => busy.write(random.pick(names))))
      busy.write(random.pick(names))
      busy.replace(outcome)
      busy.expectWhole()
    }
    busy.store.close()
  })

  test('names what it replaces as it was when it began: what is written at any of its steps is not among it', async () => {
    for (let step = 0; step < 8; step++) {
      const busy = new Busy()
      for (const name of names.slice(0, 2)) busy.write(name)
      const before = new Set(busy.store.looseOids())
      const outcome = await busy.consolidate(after(step, () => busy.write('late')))
      expect(new Set(outcome.replaced.loose)).toEqual(before)
      busy.store.close()
    }
  })

  property('of small packs, again and again between pushes, keeps every object there ever was', soak(2, 3), async (random) => {
    const busy = new Busy()
    const everything = new Set<Oid>()
    for (let round = 0; round < 5; round++) {
      await someLife(random, busy, 1 + random.below(5))
      busy.store.refresh()
      for (const oid of [...busy.store.packedOids(), ...busy.store.looseOids()]) everything.add(oid)
      const pushed = random.below(20)
      const outcome = await joinSmallPacks(busy.store, {
        leftOut: new Set(),
        ...{ directory: newDirectory(), limits: defaultLimits },
        checkpoint: after(pushed, async () => void (await busy.push(random.pick(names)))),
      })
      busy.replace(outcome)
      busy.store.refresh()
      for (const oid of everything) expect(busy.store.has(oid)).toBe(true)
    }
    busy.expectWhole()
    busy.store.close()
  })

  property('drops what no ref reaches once it is old enough, and nothing else', soak(2, 3), async (random) => {
    const busy = new Busy()
    await someLife(random, busy, 14)
    const dropped = random.pick([...busy.refs.keys()])
    if (busy.refs.size > 1) busy.drop(dropped)
    const all = new Set([...busy.store.packedOids(), ...busy.store.looseOids()])
    const reach = new Set(
      git(['rev-list', '--objects', '--no-object-names', ...busy.refs.values()], { cwd: busy.gitDir })
        .toString()
        .trim()
        .split('\n') as Oid[],
    )
    const young = await busy.consolidate(() => undefined, 0)
    busy.replace(young)
    busy.store.refresh()
    for (const oid of all) expect(busy.store.has(oid)).toBe(true)
    expect(young.dropped).toBe(0)
    const old = await busy.consolidate(() => undefined)
    busy.replace(old)
    busy.store.refresh()
    expect(new Set([...busy.store.packedOids(), ...busy.store.looseOids()])).toEqual(reach)
    busy.expectWhole()
    busy.store.close()
  })

  test('that is stopped at any of its steps leaves the store as it was', async () => {
    const busy = new Busy()
    for (const name of names) await busy.push(name)
    busy.write('a')
    const before = [...busy.store.packedOids(), ...busy.store.looseOids()].sort()
    for (let step = 0; step < 12; step++) {
      const stopped = busy.consolidate(after(step, () => Promise.reject(new Error('stopped'))))
      await stopped.then(
        () => {},
        (error: Error) => expect(error.message).toBe('stopped'),
      )
      busy.store.refresh()
      expect([...busy.store.packedOids(), ...busy.store.looseOids()].sort()).toEqual(before)
    }
    busy.expectWhole()
    busy.store.close()
  })
})

describe('what one repository lacks of another', () => {
  property('is brought whole, and nothing that it has already', 3, async (random) => {
    const [from, to] = [new Busy(), new Busy()]
    await someLife(random, from, 14)
    from.store.refresh()
    const source = new CommitSource(from.store)
    for (const tip of shuffled(random, [...from.refs.values()])) {
      to.store.refresh()
      if (to.store.has(tip)) continue
      const before = new Set([...to.store.packedOids(), ...to.store.looseOids()])
      const directory = newDirectory()
      const pack = await copyMissing(from.store, source, { directory, store: to.store, limits: defaultLimits, tips: [tip], checkpoint: () => undefined })
      publishPacks([pack.packPath], to.packDirectory)
      to.store.refresh()
      to.refs.set(`t${made}`, tip)
      const brought = [...to.store.packedOids()].length - [...before].length
      const missing = git(['rev-list', '--objects', '--no-object-names', tip], { cwd: from.gitDir })
        .toString()
        .trim()
        .split('\n')
        .filter((oid) => !before.has(oid as Oid))
      // A tree or file of a side history may come once more: only commits tell what is there.
      expect(brought).toBeGreaterThanOrEqual(missing.length)
      for (const oid of missing) expect(to.store.has(oid as Oid)).toBe(true)
    }
    to.expectWhole()
    from.store.close()
    to.store.close()
  })

  test('is told as missing when the other has not all of it either', async () => {
    const [from, to] = [new Busy(), new Busy()]
    from.write('a')
    const tip = from.refs.get('a') as Oid
    const tree = from.store.get(tip).data.toString().slice(5, 45)
    rmSync(join(from.gitDir, 'objects', tree.slice(0, 2), tree.slice(2)))
    const copying = copyMissing(from.store, new CommitSource(from.store), {
      directory: newDirectory(),
      store: to.store,
      limits: defaultLimits,
      tips: [tip],
      checkpoint: () => undefined,
    })
    expect(await outcome(copying)).toThrow(tree)
    await copying.catch(() => {})
    from.store.close()
    to.store.close()
  })
})
