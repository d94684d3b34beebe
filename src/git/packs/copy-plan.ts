import type { EntryHeader } from './entry.ts'
import { encodeBaseDistance, encodeEntryHeader, MAX_ENTRY_HEADER, OFS_DELTA, REF_DELTA, TAG } from './entry.ts'
import type { Selection } from './enumerate.ts'
import { HeaderWindow } from './header-window.ts'
import { IntList } from './int-list.ts'
import { positionAtOffset, search } from './offset-search.ts'
import type { PackFile } from './pack-file.ts'

/**
 * How an entry gets into the new pack: `copy` as it lies; `rebase`, with another header before the same compressed
 * delta; `inflate`, as a whole object, because what its delta stands on stays behind.
 */
export type CopyMode = 'copy' | 'rebase' | 'inflate'

export interface CopyRules {
  /** The receiver understands deltas against an earlier place in the pack. */
  ofsDelta: boolean
  /** Whether a delta may stand on an object that the receiver has and the pack does not: a thin pack. */
  mayStandOn(number: number): boolean
}

/** When this share of a pack is chosen, its whole order is gone through instead of sorting what is chosen. */
const DENSE = 1 / 8

/** The chosen entries of one source pack in the order they lie there, and how each is to be copied. */
export class CopyPlan {
  readonly count: number
  /** Of the entry last asked about: its new header, when that is `rebase`, and where its compressed bytes begin. */
  header = new Uint8Array(0)
  dataAt = 0
  readonly #selection: Selection
  readonly #pack: PackFile
  readonly #base: number
  readonly #rules: CopyRules
  readonly #headers: HeaderWindow
  /** Places of the chosen entries in the pack's offset order, and their offsets. */
  readonly #ranks: Uint32Array
  readonly #offsets: Float64Array
  /** Where each went in the new pack. */
  readonly #places: Float64Array
  readonly #scratch = new Uint8Array(MAX_ENTRY_HEADER)

  constructor(selection: Selection, pack: number, rules: CopyRules) {
    this.#selection = selection
    this.#pack = selection.space.packs[pack] as PackFile
    this.#base = selection.space.base(pack)
    this.#rules = rules
    this.#headers = new HeaderWindow(this.#pack)
    this.#ranks = chosenRanks(selection, pack)
    this.count = this.#ranks.length
    this.#offsets = new Float64Array(this.count)
    for (let i = 0; i < this.count; i++) this.#offsets[i] = this.#offsetOfRank(this.#ranks[i] as number)
    this.#places = new Float64Array(this.count)
  }

  number(i: number): number {
    return this.#base + this.#positionOfRank(this.#ranks[i] as number)
  }

  offset(i: number): number {
    return this.#offsets[i] as number
  }

  /** Where the entry ends, in the source pack. */
  end(i: number): number {
    const next = (this.#ranks[i] as number) + 1
    return next < this.#pack.index.count ? this.#offsetOfRank(next) : this.#pack.dataEnd
  }

  /** Decides about entry `i`, which goes to `place` in the new pack; ask in order. @throws GitError `corrupt` */
  mode(i: number, place: number): CopyMode {
    this.#places[i] = place
    const header = this.#headers.at(this.#offsets[i] as number)
    if (header.type <= TAG) return 'copy'
    this.dataAt = this.#headers.dataAt
    return header.type === OFS_DELTA ? this.#modeOfOffset(header, (this.#offsets[i] as number) - header.baseDistance, place) : this.#modeOfName()
  }

  #modeOfOffset(header: EntryHeader, baseOffset: number, place: number): CopyMode {
    const base = search(this.count, (i) => this.#offsets[i] as number, baseOffset)
    if (base >= 0 && this.#rules.ofsDelta) return this.#standOnPlace(header, place - (this.#places[base] as number))
    const raw = this.#pack.index.rawAt(positionAtOffset(this.#pack.index, baseOffset))
    return base >= 0 || this.#maySend(raw, 0) ? this.#standOnName(header, raw) : 'inflate'
  }

  #modeOfName(): CopyMode {
    const { bytes, header } = this.#headers
    return this.#maySend(bytes, header.baseOidAt) ? 'copy' : 'inflate'
  }

  /** Whether a delta may go out that names the object whose raw id lies at `at`. */
  #maySend(bytes: Uint8Array, at: number): boolean {
    const number = this.#selection.space.find(bytes, at)
    return number >= 0 && (this.#selection.has(number) || this.#rules.mayStandOn(number))
  }

  #standOnPlace(header: EntryHeader, distance: number): CopyMode {
    if (distance === header.baseDistance) return 'copy'
    const length = encodeBaseDistance(distance, this.#scratch, encodeEntryHeader(OFS_DELTA, header.size, this.#scratch, 0))
    this.header = this.#scratch.subarray(0, length)
    return 'rebase'
  }

  #standOnName(header: EntryHeader, raw: Uint8Array): CopyMode {
    const at = encodeEntryHeader(REF_DELTA, header.size, this.#scratch, 0)
    this.#scratch.set(raw, at)
    this.header = this.#scratch.subarray(0, at + raw.length)
    return 'rebase'
  }

  #positionOfRank(rank: number): number {
    return this.#pack.index.offsetOrder()[rank] as number
  }

  #offsetOfRank(rank: number): number {
    return this.#pack.index.offsetAt(this.#positionOfRank(rank))
  }
}

function chosenRanks(selection: Selection, pack: number): Uint32Array {
  const base = selection.space.base(pack)
  const { index } = selection.space.packs[pack] as PackFile
  const chosen = selection.numbers.view().filter((number) => number >= base && number < base + index.count)
  if (chosen.length === 0) return chosen
  const order = index.offsetOrder()
  if (chosen.length >= index.count * DENSE) return ranksAmong(selection, base, order)
  return chosen.map((number) => search(index.count, (rank) => index.offsetAt(order[rank] as number), index.offsetAt(number - base))).sort()
}

/** A loop takes a fraction of what a filtered iterator does. */
function ranksAmong(selection: Selection, base: number, order: Uint32Array): Uint32Array {
  const ranks = new IntList()
  for (let rank = 0; rank < order.length; rank++) if (selection.has(base + (order[rank] as number))) ranks.push(rank)
  return ranks.view()
}
