import { statSync } from 'node:fs'
import { join } from 'node:path'
import { GitError } from '../errors.ts'
import type { PackFileOptions } from '../packs/pack-file.ts'
import { PackFile } from '../packs/pack-file.ts'
import { identityOf } from './file-identity.ts'
import { namesIn } from './loose.ts'

/**
 * File systems date a directory by a clock that ticks: a change soon after a look may leave the date as it was.
 * Where dates are whole seconds the tick is taken to be two of those.
 */
const TICK_MS = 50
const COARSE_TICK_MS = 2000
/** Consolidations that may get in the way of one look. */
const MAX_SCANS = 5

/** A pack, and the files that it and its index were read from. */
interface Known {
  pack: PackFile
  files: string
}

/** The packs of one `objects/pack` directory as it was when last looked at. */
export class PackDirectory {
  /** In the order of their names. */
  packs: readonly PackFile[] = []
  /** What kept packs that are there from being opened. */
  faults: readonly GitError[] = []
  readonly #directory: string
  readonly #indexDirectory: string
  readonly #options: PackFileOptions
  /** By the name of the file. */
  #known: ReadonlyMap<string, Known> = new Map()
  /** The directory's date at the last look, NaN when nothing can be told from it. */
  #seen = Number.NaN

  /** The packs' indexes lie in `indexDirectory`. */
  constructor(directory: string, options: PackFileOptions, indexDirectory = directory) {
    this.#directory = directory
    this.#indexDirectory = indexDirectory
    this.#options = options
    this.refresh()
  }

  /**
   * Looks again if the directory may have changed since. Packs that are gone are let go of, but not closed: someone may be reading them.
   * @returns whether `packs` are others than before
   */
  refresh(): boolean {
    const before = this.packs
    const date = dateOf(this.#directory)
    if (date === this.#seen) return false
    const isSettled = Date.now() - date > (date % 1000 === 0 ? COARSE_TICK_MS : TICK_MS)
    let isWhole = false
    for (let i = 0; i < MAX_SCANS && !isWhole; i++) isWhole = this.#scan()
    // What cannot be opened now, as when too many files are open, may be later, and leaves the date as it is.
    this.#seen = isSettled && isWhole ? date : Number.NaN
    return this.packs !== before
  }

  close(): void {
    for (const pack of this.packs) pack.close()
    this.packs = []
    this.#known = new Map()
    this.#seen = Number.NaN
  }

  /** Answers false when a pack vanished between listing and opening: what replaces it may not have been listed. */
  #scan(): boolean {
    let isWhole = true
    const packs = new Map<string, Known>()
    const faults: GitError[] = []
    const names = namesIn(this.#directory)
    const present = new Set(names)
    const indexes = this.#indexDirectory === this.#directory ? names : namesIn(this.#indexDirectory)
    for (const index of indexes) {
      const name = packOf(index)
      if (name === undefined || !present.has(name)) continue
      const pack = this.#find(name, index)
      if (!(pack instanceof GitError)) packs.set(name, pack)
      else if (pack.kind === 'missing') isWhole = false
      else faults.push(pack)
    }
    this.#take(packs)
    this.faults = faults
    return isWhole
  }

  /** Between two pushes of many nothing has changed most of the time: the array stays the same then. */
  #take(packs: ReadonlyMap<string, Known>): void {
    this.#known = packs
    const found = Array.from(packs.values(), ({ pack }) => pack)
    if (found.length !== this.packs.length || found.some((pack, i) => pack !== this.packs[i])) this.packs = found
  }

  /** The pack as it is open, unless it was put back or its index made anew since: what was read then is damaged. */
  #find(name: string, index: string): Known | GitError {
    const known = this.#known.get(name)
    // Of a pack that is used again the date is changed.
    const files = `${statSync(join(this.#directory, name), { throwIfNoEntry: false })?.ino} ${identityOf(join(this.#indexDirectory, index))}`
    if (known?.files === files) return known
    const pack = this.#open(name, index)
    return pack instanceof PackFile ? { pack, files } : pack
  }

  #open(name: string, index: string): PackFile | GitError {
    try {
      return PackFile.open(join(this.#directory, name), { ...this.#options, idxPath: join(this.#indexDirectory, index) })
    } catch (error) {
      if (error instanceof GitError) return error
      throw error
    }
  }
}

/** `pack-1.idx` → `pack-1.pack` */
function packOf(index: string): string | undefined {
  const isOfPack = index.startsWith('pack-') && index.endsWith('.idx') && index.length > 'pack-.idx'.length
  return isOfPack ? `${index.slice(0, -'idx'.length)}pack` : undefined
}

/** 0 when there is no such directory. */
function dateOf(directory: string): number {
  return statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
