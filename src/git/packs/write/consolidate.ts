import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkpoint } from '../../checkpoint.ts'
import { GitError } from '../../errors.ts'
import { CommitSource } from '../../history/commit-source.ts'
import type { GitLimits } from '../../limits.ts'
import { type Oid, oidAt } from '../../objects/oid.ts'
import type { DiskStore } from '../../store/disk.ts'
import { MemoryStore } from '../../store/memory.ts'
import type { ObjectReader } from '../../store/types.ts'
import { writeSynced } from '../../store/write-synced.ts'
import type { PackFile } from '../pack-file.ts'
import { PackIndex } from '../pack-index.ts'
import type { ReceivedPack } from '../receive/receive.ts'
import { verifyPack } from '../receive/verify.ts'
import { enumerateObjects, Selection } from '../select/enumerate.ts'
import { holdPacks } from '../select/hold-packs.ts'
import { ObjectSpace } from '../select/object-space.ts'
import { encodeMtimes, mtimesPath, readMtimes } from './mtimes.ts'
import { rewritePack } from './rewrite-pack.ts'

export interface JoinOptions {
  /** An empty directory for the new packs. */
  directory: string
  /** Those for what is stored. */
  limits: GitLimits
  checkpoint: Checkpoint
}

export interface ConsolidateOptions extends JoinOptions {
  /** What must stay: every ref. */
  tips: readonly Oid[]
  /** Unreachable objects last of use before this moment (seconds) are left out. */
  cutoff: number
  /** Objects that stay however old they are, where they are there, and when each was last of use (seconds): what deleted refs pointed to. */
  spared?: ReadonlyMap<Oid, number> | undefined
  /** The store's own `objects` directory. */
  objects: string
}

export interface Consolidated {
  /** Paths of the new packs, in `directory`; all that is to be kept is in them. */
  packs: string[]
  /** What may go once they are in place. */
  replaced: { packs: string[]; loose: Oid[] }
  /** Unreachable objects that were kept for now, and those that were left out. */
  kept: number
  dropped: number
}

/**
 * Joins a store's packs and loose objects: one pack of all that is reachable, copied as it lies, and a cruft pack
 * (with git's `.mtimes`) of what is not but is too young to go, with all that it stands on, so that the store stays
 * closed. Both are indexed and verified as if they came from outside before anything old is let go.
 */
export async function consolidate(store: DiskStore, source: CommitSource, options: ConsolidateOptions): Promise<Consolidated> {
  store.refresh()
  const space = new ObjectSpace(store)
  // What is written from here on is not looked at, so it must not be taken for replaced either.
  const replaced = { packs: space.packs.map((pack) => pack.path), loose: [...store.looseOids()] }
  const { limits, checkpoint } = options
  const reachable = await enumerateObjects(space, source, { wants: options.tips, limits, checkpoint })
  const cruft = new CruftChoice(space, reachable, options.objects)
  const young = await cruft.choose(options.cutoff, options.spared ?? new Map(), checkpoint, limits)
  const packs: string[] = []
  if (reachable.numbers.length > 0) packs.push((await rewrite(reachable, new MemoryStore(), join(options.directory, 'main'), options)).packPath)
  if (young.numbers.length > 0) packs.push(await writeCruft(young, cruft, store, options))
  return { packs, replaced, kept: young.numbers.length, dropped: cruft.unreachable - young.numbers.length }
}

/**
 * Writes what `tips` reach, and nothing else, as a pack into `directory`; answers its path, or none where they reach nothing. Packs may be
 * joined meanwhile: of those that were there no more is asked than what is in them.
 */
export async function packReachable(store: DiskStore, source: CommitSource, options: JoinOptions & { tips: readonly Oid[] }): Promise<string[]> {
  store.refresh()
  const { tips, limits, checkpoint, directory } = options
  using _held = holdPacks(store)
  const reachable = await enumerateObjects(new ObjectSpace(store), source, { wants: tips, limits, checkpoint })
  if (reachable.numbers.length === 0) return []
  return [(await rewrite(reachable, new MemoryStore(), join(directory, 'main'), options)).packPath]
}

export interface JoinSmallOptions extends JoinOptions {
  /** Paths of packs that are known to be damaged. */
  leftOut: ReadonlySet<string>
}

export interface JoinedSmall extends Consolidated {
  /** Packs that turned out to be damaged, by path, and what is wrong with them. */
  damaged: ReadonlyMap<string, string>
}

/**
 * Joins the smaller packs into one and leaves the large ones alone, so that upkeep costs in proportion to what was
 * pushed since: the packs to keep are those at least twice as large as all smaller ones together, as in
 * `git repack --geometric=2`. Nothing is dropped. Cruft packs stay as they are, and so do damaged ones.
 */
export async function joinSmallPacks(store: DiskStore, { leftOut, ...options }: JoinSmallOptions): Promise<JoinedSmall> {
  store.refresh()
  const damaged = new Map<string, string>()
  for (;;) {
    const space = new ObjectSpace(store, leftOut.union(new Set(damaged.keys())))
    const small = smallPacks(space)
    const paths = small.map((pack) => (space.packs[pack] as PackFile).path)
    const { chosen, damaged: found } = await chooseSmall(space, small, options.checkpoint)
    try {
      if (found.size === 0) {
        const packs = chosen.numbers.length === 0 ? [] : [await joinChosen(chosen, store, options)]
        return { packs, replaced: { packs: paths, loose: [] }, kept: 0, dropped: 0, damaged }
      }
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      await findDamaged(paths, options.limits, found)
      if (found.size === 0) throw error
      rmSync(join(options.directory, 'joined'), { recursive: true, force: true })
    }
    for (const [path, fault] of found) damaged.set(path, fault)
  }
}

/** Which of the packs, or their indexes, are not as they were written. */
async function findDamaged(paths: readonly string[], limits: GitLimits, damaged: Map<string, string>): Promise<void> {
  for (const path of paths) {
    try {
      await verifyPack(path, path.replace(/\.pack$/, '.idx'), limits)
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      damaged.set(path, error.message)
    }
  }
}

interface Choice {
  chosen: Selection
  /** Packs that stay and have not what was to be left to them, by path, and what is wrong. */
  damaged: Map<string, string>
}

/** All of the small packs but what packs that stay have as well, if that is whole there: nobody may have looked for long, and the small pack's be the last. */
async function chooseSmall(space: ObjectSpace, small: readonly number[], checkpoint: Checkpoint): Promise<Choice> {
  const chosen = new Selection(space)
  const damaged = new Map<string, string>()
  for (const pack of small) {
    for (let number = space.base(pack); number < space.base(pack + 1); number++) {
      if (space.isCanonical(number)) chosen.add(number)
      else await judgeCopy(space, number, small, damaged)
      const wait = checkpoint()
      if (wait) await wait
    }
  }
  return { chosen, damaged }
}

/** Reads the copy that an object of a small pack goes by, where that is in a pack that stays and not known to be damaged. */
async function judgeCopy(space: ObjectSpace, number: number, small: readonly number[], damaged: Map<string, string>): Promise<void> {
  const oid = space.oid(number)
  const copy = space.findOid(oid)
  const at = space.packOf(copy)
  const pack = space.packs[at] as PackFile
  if (small.includes(at) || damaged.has(pack.path)) return
  try {
    const offset = pack.index.offsetAt(copy - space.base(at))
    const { type, size } = pack.headerOf(offset)
    const hasher = space.store.format.hasher().update(`${type} ${size}\0`)
    for await (const bytes of pack.pieces(offset)) hasher.update(bytes)
    if (oidAt(hasher.digest(), 0) !== oid) throw new GitError('corrupt', `object ${oid} does not match its ID in the index`)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    damaged.set(pack.path, error.message)
  }
}

/** @throws GitError `corrupt` when an object that was chosen did not come out as it is named: what it is had from must not go then */
async function joinChosen(chosen: Selection, store: DiskStore, options: JoinOptions): Promise<string> {
  const { packPath, idxPath } = await rewrite(chosen, store, join(options.directory, 'joined'), { ...options, isChecked: true })
  const index = PackIndex.open(idxPath, store.format)
  for (const number of chosen.numbers.view()) {
    if (index.find(chosen.space.oid(number)) < 0) throw new GitError('corrupt', `Cannot combine packs: object ${chosen.space.oid(number)} is damaged`)
    const wait = options.checkpoint()
    if (wait) await wait
  }
  return packPath
}

/** Positions of the packs to join; `space` has the largest first, and an object in several goes by the largest. */
function smallPacks(space: ObjectSpace): number[] {
  const ordinary = [...space.packs.entries()].filter(([, { path }]) => !existsSync(mtimesPath(path)))
  const counts = ordinary.map(([, { index }]) => index.count)
  let rest = counts.reduce((sum, count) => sum + count, 0)
  let firstSmall = 0
  while (firstSmall < counts.length && (counts[firstSmall] as number) >= 2 * (rest - (counts[firstSmall] as number))) rest -= counts[firstSmall++] as number
  return ordinary.slice(firstSmall).map(([pack]) => pack)
}

/** What is in the store and not reachable, with the time of its last use. */
class CruftChoice {
  unreachable = 0
  /** When the last of what is spared, and is not reachable, was of use. */
  newestSpared = 0
  readonly #space: ObjectSpace
  readonly #reachable: Selection
  readonly #objects: string
  /** The time of each source: a pack's, or for a cruft pack each object's. */
  readonly #packTimes: (number | Uint32Array)[]

  constructor(space: ObjectSpace, reachable: Selection, objects: string) {
    this.#objects = objects
    this.#space = space
    this.#reachable = reachable
    this.#packTimes = space.packs.map((pack) => timesOf(pack.path, pack.index.count))
  }

  /** Unreachable objects used since `cutoff`, and those of `spared` that there are, with whatever unreachable objects those stand on. */
  async choose(cutoff: number, spared: ReadonlyMap<Oid, number>, checkpoint: Checkpoint, limits: GitLimits): Promise<Selection> {
    const young: Oid[] = []
    for (const [oid, time] of spared) {
      if (!this.#space.store.findHeader(oid) || this.#reachable.has(this.#space.get(oid))) continue
      young.push(oid)
      this.newestSpared = Math.max(this.newestSpared, time)
    }
    for (let number = 0; number < this.#space.packed; number++) {
      this.#judge(number, cutoff, young)
      const wait = checkpoint()
      if (wait) await wait
    }
    for (const oid of this.#space.store.looseOids()) this.#judge(this.#space.get(oid), cutoff, young)
    const closure = new Selection(this.#space)
    for (const number of await this.#closureOf(young, checkpoint, limits)) if (!this.#reachable.has(number)) closure.add(number)
    return closure
  }

  /** Seconds since 1970. */
  timeOf(number: number): number {
    if (number >= this.#space.packed) {
      const oid = this.#space.oid(number)
      return seconds(join(this.#objects, oid.slice(0, 2), oid.slice(2)))
    }
    const pack = this.#space.packOf(number)
    const times = this.#packTimes[pack] as number | Uint32Array
    return typeof times === 'number' ? times : (times[number - this.#space.base(pack)] as number)
  }

  #judge(number: number, cutoff: number, young: Oid[]): void {
    if (this.#reachable.has(number) || (number < this.#space.packed && !this.#space.isCanonical(number))) return
    this.unreachable++
    if (this.timeOf(number) >= cutoff) young.push(this.#space.oid(number))
  }

  async #closureOf(young: readonly Oid[], checkpoint: Checkpoint, limits: GitLimits): Promise<Uint32Array> {
    if (young.length === 0) return new Uint32Array()
    const found = await enumerateObjects(this.#space, new CommitSource(this.#space.store), { wants: young, limits, checkpoint })
    return found.numbers.view()
  }
}

function timesOf(packPath: string, count: number): number | Uint32Array {
  try {
    return readMtimes(mtimesPath(packPath), count)
  } catch {
    // No cruft pack, or one whose times are lost: the pack's own time then holds for all of it.
    return seconds(packPath)
  }
}

function seconds(path: string): number {
  return Math.floor(statSync(path).mtimeMs / 1000)
}

async function writeCruft(young: Selection, cruft: CruftChoice, store: DiskStore, options: ConsolidateOptions): Promise<string> {
  const { packPath, name } = await rewrite(young, store, join(options.directory, 'cruft'), options)
  const numbers = [...young.numbers.view()]
  const times = new Map(numbers.map((number) => [young.space.oid(number), cruft.timeOf(number)]))
  const mtimes = Uint32Array.from([...times.keys()].sort(), (oid) => times.get(oid) ?? 0)
  writeSynced(mtimesPath(packPath), encodeMtimes(mtimes, Buffer.from(name, 'hex')))
  // By this others know when they need look again for what may go.
  const newest = mtimes.reduce((a, b) => Math.max(a, b), cruft.newestSpared)
  utimesSync(packPath, newest, newest)
  return packPath
}

/** Writes the selection as a pack and takes it in again, unless told otherwise with all checks; links may lead into `known`. */
async function rewrite(
  selection: Selection,
  known: ObjectReader,
  directory: string,
  { limits, checkpoint, isChecked }: JoinOptions & { isChecked?: boolean },
): Promise<ReceivedPack> {
  mkdirSync(directory)
  try {
    return await rewritePack(selection, { directory, store: known, isCopy: true, isChecked, limits, tips: [], checkpoint })
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    throw error
  }
}
