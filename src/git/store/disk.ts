import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { defaultLimits } from '../limits.ts'
import type { ObjectFormat, ObjectType, Oid } from '../objects/oid.ts'
import { hashObject, oidAt, rawOid, SHA1 } from '../objects/oid.ts'
import type { PackFile } from '../packs/pack-file.ts'
import { newReadCache, type ReadCache } from '../packs/read-cache.ts'
import { mtimesPath } from '../packs/write/mtimes.ts'
import type { Budget } from './budget.ts'
import { LooseObjects, touchFile } from './loose.ts'
import { PackDirectory } from './pack-directory.ts'
import { checkSize, getObject, isPrefix, missing, named } from './rules.ts'
import type { GitObject, ObjectHeader, ObjectStore, RawPresence } from './types.ts'

export { completeBareRepository, initBareRepository, listMissingParts } from './init-bare.ts'

export interface DiskStoreOptions {
  format?: ObjectFormat
  limits?: GitLimits
  /** A cache of its own of so many bytes, instead of the one that all stores of a thread share. */
  cacheBytes?: number
  /** Object directories to read besides the repository's own. */
  alternates?: string[]
  /** Where the indexes of the repository's own packs lie, when those beside the packs are not to be trusted. */
  packIndexes?: string
}

/** Where a packed object lies. */
export interface PackedPlace {
  pack: PackFile
  /** Its position in the pack's index. */
  position: number
}

/** One `objects` directory. */
interface Place {
  packs: PackDirectory
  loose: LooseObjects
}

const SHARED_CACHE_BYTES = 48 * 1024 * 1024
let shared: ReadCache | undefined

/**
 * The objects of a plain bare repository: its packs and loose objects, and those of `alternates`. Sees what others (stock git included)
 * add while it is open, and keeps reading what they consolidate away. Data that it gives out may be shared: do not write to it, do not transfer it.
 */
export class DiskStore implements ObjectStore {
  readonly format: ObjectFormat
  readonly #limits: GitLimits
  /** The repository's own directory first. */
  readonly #places: readonly Place[]
  #packs: readonly PackFile[] = []
  /** The same packs, the one with the latest hit first. */
  #lookup: PackFile[] = []

  /** Opens the bare repository in `gitDir`; one that is not there reads as empty. */
  static open(gitDir: string, options: DiskStoreOptions = {}): DiskStore {
    return new DiskStore(gitDir, options)
  }

  private constructor(gitDir: string, options: DiskStoreOptions) {
    this.format = options.format ?? SHA1
    this.#limits = options.limits ?? defaultLimits
    const cache = options.cacheBytes === undefined ? (shared ??= newReadCache(SHARED_CACHE_BYTES)) : newReadCache(options.cacheBytes)
    const packOptions = { format: this.format, limits: this.#limits, cache }
    const directories = [join(gitDir, 'objects'), ...(options.alternates ?? [])]
    this.#places = directories.map((directory, place) => ({
      packs: new PackDirectory(join(directory, 'pack'), packOptions, place === 0 ? options.packIndexes : undefined),
      loose: new LooseObjects(directory, this.format),
    }))
    this.#collectPacks()
  }

  /** All packs, the repository's own first; the array is replaced, never changed, when that changes. */
  get packs(): readonly PackFile[] {
    return this.#packs
  }

  /** What keeps packs that are there from being read. */
  get faults(): readonly GitError[] {
    return this.#places.flatMap(({ packs }) => packs.faults)
  }

  has(oid: Oid): boolean {
    return (
      this.#search(
        () => true,
        (loose) => loose.has(oid) || undefined,
        oid,
      ) ?? false
    )
  }

  presence(): RawPresence {
    this.refresh()
    const loose = this.#places.map((place) => place.loose.presence())
    // In loops, without a closure for each question: of half a million those alone are a hundred megabytes.
    return (bytes, at) => {
      for (const { index } of this.#packs) if (index.findRaw(bytes, at) >= 0) return true
      for (const has of loose) if (has(bytes, at)) return true
      return false
    }
  }

  findHeader(oid: Oid): ObjectHeader | undefined {
    return naming(
      oid,
      () =>
        this.#search(
          (pack, position) => pack.headerOf(pack.index.offsetAt(position)),
          (loose) => loose.findHeader(oid),
          oid,
        ) ?? this.#none(oid),
    )
  }

  /** A push of one file asks this for each entry of its directories: nothing is made on the way to an answer from a pack. */
  findTypeRaw(bytes: Uint8Array, at: number): ObjectType | undefined {
    for (let i = 0; i < this.#lookup.length; i++) {
      const pack = this.#lookup[i] as PackFile
      const position = pack.index.findRaw(bytes, at)
      if (position < 0) continue
      try {
        const type = pack.typeAt(position)
        this.#moveToFront(i)
        return type
      } catch {
        break
      }
    }
    return this.#findType(oidAt(bytes, at, this.format.rawLength))
  }

  #findType(oid: Oid): ObjectType | undefined {
    return naming(
      oid,
      () =>
        this.#search(
          (pack, position) => pack.typeAt(position),
          (loose) => loose.findHeader(oid)?.type,
          oid,
        ) ?? this.#none(oid),
    )
  }

  /** @param budget pays for all that is inflated on the way */
  find(oid: Oid, maxBytes: number = this.#limits.maxObjectBytes, budget?: Budget): GitObject | undefined {
    const most = Math.min(maxBytes, this.#limits.maxObjectBytes)
    return naming(
      oid,
      () =>
        this.#search(
          (pack, position) => pack.read(position, most, budget),
          (loose) => loose.find(oid, most, budget),
          oid,
        ) ?? this.#none(oid),
    )
  }

  get(oid: Oid, type?: ObjectType, maxBytes?: number): GitObject {
    return getObject(this, oid, type, maxBytes)
  }

  async *pieces(oid: Oid): AsyncGenerator<Uint8Array> {
    const pieces = this.#search(
      (pack, position) => pack.pieces(pack.index.offsetAt(position)),
      (loose) => loose.pieces(oid),
      oid,
    )
    if (pieces === undefined) throw this.#missing(oid)
    try {
      yield* pieces
    } catch (error) {
      throw named(oid, error)
    }
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    if (!isPrefix(prefix, this.format)) return []
    this.refresh()
    const found = new Set<Oid>()
    for (const { index } of this.#packs) {
      const { from, to } = index.prefixRange(prefix)
      for (let position = from; position < Math.min(to, from + limit); position++) found.add(index.oidAt(position))
    }
    for (const { loose } of this.#places) for (const oid of loose.withPrefix(prefix)) found.add(oid)
    const [fault] = this.faults
    if (found.size === 0 && fault !== undefined) throw fault
    return [...found].sort().slice(0, limit)
  }

  /** Where `oid` lies packed; undefined when it is loose or absent. */
  locate(oid: Oid): PackedPlace | undefined {
    return this.#search<PackedPlace>(
      (pack, position) => ({ pack, position }),
      () => undefined,
      oid,
    )
  }

  write(type: ObjectType, data: Uint8Array): Oid {
    checkSize(data.length, this.#limits)
    const oid = hashObject(this.format, type, data)
    if (!this.#freshen(oid)) this.#own.loose.write(oid, type, data)
    return oid
  }

  /** Every id that is packed, pack by pack in order; those in several packs come several times. */
  *packedOids(): IterableIterator<Oid> {
    for (const { index } of this.#packs) for (let position = 0; position < index.count; position++) yield index.oidAt(position)
  }

  /** Every id that is loose. */
  *looseOids(): IterableIterator<Oid> {
    for (const { loose } of this.#places) yield* loose.oids()
  }

  /** Takes notice of packs that came and went. Lookups do so by themselves before they answer that there is no such object. */
  refresh(): boolean {
    // Every place gets its look: no short cut.
    const changes = this.#places.map(({ packs }) => packs.refresh())
    const isChanged = changes.includes(true)
    if (isChanged) this.#collectPacks()
    return isChanged
  }

  /** Frees the files. Whatever is read after that opens them again. */
  close(): void {
    for (const { packs } of this.#places) packs.close()
    this.#collectPacks()
  }

  /**
   * Looks in the packs, then among the loose objects; if that gives nothing and packs have come or gone, once more. A copy that cannot
   * be read (because its pack has vanished, or is damaged) counts only when there is no other.
   */
  #search<T>(fromPack: (pack: PackFile, position: number) => T, fromLoose: (loose: LooseObjects) => T | undefined, oid: Oid): T | undefined {
    const raw = rawOid(oid)
    let failure: GitError | undefined
    for (let round = 0; round === 0 || (round === 1 && this.refresh()); round++) {
      for (let i = 0; i < this.#lookup.length; i++) {
        const pack = this.#lookup[i] as PackFile
        const position = pack.index.findRaw(raw, 0)
        if (position < 0) continue
        try {
          const answer = fromPack(pack, position)
          this.#moveToFront(i)
          return answer
        } catch (error) {
          pack.forgetPieces()
          failure = unlessFinal(error)
        }
      }
      for (const { loose } of this.#places) {
        const answer = fromLoose(loose)
        if (answer !== undefined) return answer
      }
    }
    if (failure && failure.kind !== 'missing') throw failure
    return undefined
  }

  #moveToFront(index: number): void {
    if (index === 0) return
    this.#lookup.unshift(...this.#lookup.splice(index, 1))
  }

  get #own(): Place {
    return this.#places[0] as Place
  }

  /** Makes an object that is in the repository's own directory as young as a new one; false when it is not there. */
  #freshen(oid: Oid): boolean {
    const own = this.#own
    const touch = (): boolean => own.packs.packs.some((pack) => pack.index.find(oid) >= 0 && touchPack(pack)) || own.loose.freshen(oid)
    return touch() || (this.refresh() && touch())
  }

  #collectPacks(): void {
    this.#packs = this.#places.flatMap(({ packs }) => packs.packs)
    const now = new Set(this.#packs)
    // Those that answered last come first.
    this.#lookup = [...new Set([...this.#lookup.filter((pack) => now.has(pack)), ...now])]
  }

  /** Of an object that is not found. @throws GitError `corrupt` when it may be in a pack that cannot be read: nobody may be told then that there is none */
  #none(oid: Oid): undefined {
    if (this.faults.length > 0) throw this.#missing(oid)
  }

  #missing(oid: Oid): GitError {
    const [fault] = this.faults
    if (fault === undefined) return missing(oid)
    return new GitError('corrupt', `Cannot find object ${oid}, and a pack cannot be read: ${fault.message}`, { cause: fault })
  }
}

/** Not for packs that date each object: there the pack's own time counts for nothing, and the object is better written once more, as git does. */
function touchPack(pack: PackFile): boolean {
  return !existsSync(mtimesPath(pack.path)) && touchFile(pack.path)
}

/** Errors after which another copy of the object may still do; throws the others. */
function unlessFinal(error: unknown): GitError {
  if (error instanceof GitError && (error.kind === 'corrupt' || error.kind === 'missing')) return error
  throw error
}

function naming<T>(oid: Oid, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw named(oid, error)
  }
}
