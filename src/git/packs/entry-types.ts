import type { Checkpoint } from '../checkpoint.ts'
import { GitError } from '../errors.ts'
import { OFS_DELTA, REF_DELTA, TAG } from './entry.ts'
import { HeaderWindow } from './header-window.ts'
import { search } from './offset-search.ts'
import type { PackFile } from './pack-file.ts'

/** To read a header takes less time than to look at the clock. */
const HEADERS_A_STEP = 64

/** What was read of packs that are still open: a pack never changes. */
const known = new WeakMap<PackFile, Uint8Array>()

/**
 * The types (1–4, see entry.ts) of all objects of a pack, in its offset order, of which nothing but the entries' headers is read: what a delta
 * makes is of its base's type. Worked out once, a byte an object; read only.
 * @throws GitError `corrupt`
 */
export async function readEntryTypes(pack: PackFile, checkpoint: Checkpoint): Promise<Uint8Array> {
  const types = known.get(pack) ?? (await readTypes(pack, checkpoint))
  known.set(pack, types)
  return types
}

async function readTypes(pack: PackFile, checkpoint: Checkpoint): Promise<Uint8Array> {
  const reading = new TypeReading(pack)
  for (let rank = 0; rank < pack.index.count; rank++) {
    reading.readHeader(rank)
    const wait = rank % HEADERS_A_STEP === 0 ? checkpoint() : undefined
    if (wait) await wait
  }
  for (let rank = 0; rank < pack.index.count; rank++) {
    reading.settle(rank)
    const wait = rank % HEADERS_A_STEP === 0 ? checkpoint() : undefined
    if (wait) await wait
  }
  return reading.types
}

const UNSETTLED = 0

class TypeReading {
  readonly types: Uint8Array
  readonly #pack: PackFile
  readonly #headers: HeaderWindow
  /** By rank in the offset order, as all here. */
  readonly #offsets: Float64Array
  /** What each delta stands on. */
  readonly #bases: Int32Array

  constructor(pack: PackFile) {
    const { count } = pack.index
    this.types = new Uint8Array(count)
    this.#pack = pack
    this.#headers = new HeaderWindow(pack)
    this.#offsets = offsetsOf(pack)
    this.#bases = new Int32Array(count)
  }

  readHeader(rank: number): void {
    const offset = this.#offsets[rank] as number
    const { type, baseDistance, baseOidAt } = this.#headers.at(offset)
    if (type <= TAG) this.types[rank] = type
    else if (type === OFS_DELTA) this.#bases[rank] = this.#rankAt(offset - baseDistance)
    else if (type === REF_DELTA) this.#bases[rank] = this.#rankOf(this.#headers.bytes, baseOidAt)
  }

  /** Goes down the chain to what has a type, and gives it to all on the way. */
  settle(rank: number): void {
    let [end, depth] = [rank, 0]
    while (this.types[end] === UNSETTLED) {
      end = this.#bases[end] as number
      if (++depth > this.types.length) throw this.#corrupt(this.#offsets[rank] as number)
    }
    const type = this.types[end] as number
    for (let at = rank; this.types[at] === UNSETTLED; at = this.#bases[at] as number) this.types[at] = type
  }

  #rankOf(bytes: Uint8Array, oidAt: number): number {
    const position = this.#pack.index.findRaw(bytes, oidAt)
    return this.#rankAt(position < 0 ? position : this.#pack.index.offsetAt(position))
  }

  #rankAt(offset: number): number {
    const rank = search(this.#offsets.length, (i) => this.#offsets[i] as number, offset)
    if (rank < 0) throw this.#corrupt(offset)
    return rank
  }

  #corrupt(offset: number): GitError {
    return new GitError('corrupt', `Cannot read pack entry: the delta chain at byte ${offset} does not end in a complete object`)
  }
}

/** Ascending. A loop takes a fraction of what `Float64Array.from` does. */
function offsetsOf({ index }: PackFile): Float64Array {
  const order = index.offsetOrder()
  const offsets = new Float64Array(index.count)
  for (let rank = 0; rank < index.count; rank++) offsets[rank] = index.offsetAt(order[rank] as number)
  return offsets
}
