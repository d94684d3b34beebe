import type { EntryHeader } from '../entry.ts'
import { encodeBaseDistance, encodeEntryHeader, MAX_ENTRY_HEADER, OFS_DELTA, REF_DELTA, TAG } from '../entry.ts'
import { HeaderWindow } from '../header-window.ts'
import { positionAtOffset, search } from '../offset-search.ts'
import type { PackFile } from '../pack-file.ts'
import type { Selection } from '../select/enumerate.ts'
import { IntList } from '../select/int-list.ts'
import { Relatives } from './relatives.ts'

/**
 * How an entry gets into the new pack: `copy` as it lies; `rebase`, with another header before the same compressed
 * delta; `remake`, because what its delta stands on stays behind: as a delta on a relative, or whole.
 */
export type CopyMode = 'copy' | 'rebase' | 'remake'

export interface CopyRules {
  /** The receiver understands deltas against an earlier place in the pack. */
  ofsDelta: boolean
  /** Whether a delta may stand on an object that the receiver has and the pack does not: a thin pack. */
  mayStandOn(number: number): boolean
}

/** When as much as this share of a pack is chosen, its whole order is gone through instead of sorting what is chosen. */
const DENSE = 1 / 8
/** Nothing is remade to stand on what is the top of a longer chain. As git's `pack.depth`. */
const MAX_DEPTH = 50
/** Chains are counted no further. */
const DEEPEST = 0xffff

/** The chosen entries of one source pack in the order they lie there, and how each is to be copied. */
export class CopyPlan {
  readonly count: number
  /** Of the entry last asked about: its new header, when that is `rebase`, and where its compressed bytes begin. */
  header: Uint8Array = new Uint8Array(0)
  dataAt = 0
  /** When that is `remake`: the entry that it may stand on instead, which went out before; -1 for none. */
  relative = -1
  readonly #selection: Selection
  readonly #pack: PackFile
  readonly #base: number
  readonly #rules: CopyRules
  readonly #headers: HeaderWindow
  /** Places of the chosen entries in the pack's offset order, and their offsets. */
  readonly #ranks: Uint32Array
  readonly #offsets: Float64Array
  /** Where each went in the new pack, and how many deltas lead from there to a whole object. */
  readonly #places: Float64Array
  readonly #depths: Uint16Array
  readonly #relatives: Relatives
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
    this.#depths = new Uint16Array(this.count)
    this.#relatives = new Relatives(this.#pack, (offset) => this.#find(offset))
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
    return header.type === OFS_DELTA ? this.#modeOfOffset(i, header, place) : this.#modeOfName(i)
  }

  /** Entry `i`, whose mode was `remake` just now, goes out as a delta of `size` bytes on `relative`; answers its header. */
  standOnRelative(i: number, size: number): Uint8Array {
    this.#depths[i] = (this.#depths[this.relative] as number) + 1
    this.#relatives.add(i)
    if (this.#rules.ofsDelta) return this.#encodeOffset(size, (this.#places[i] as number) - (this.#places[this.relative] as number))
    return this.#encodeName(size, this.#pack.index.rawAt(this.#positionOfRank(this.#ranks[this.relative] as number)))
  }

  /** Entry `i`, whose mode was `remake` just now, goes out whole. */
  standAlone(i: number): void {
    this.#relatives.add(i)
  }

  #modeOfOffset(i: number, header: EntryHeader, place: number): CopyMode {
    const baseOffset = (this.#offsets[i] as number) - header.baseDistance
    const base = this.#find(baseOffset)
    this.#depths[i] = Math.min(DEEPEST, base < 0 ? 1 : (this.#depths[base] as number) + 1)
    if (base >= 0 && this.#rules.ofsDelta) return this.#standOnPlace(header, place - (this.#places[base] as number))
    const raw = this.#pack.index.rawAt(positionAtOffset(this.#pack.index, baseOffset))
    if (base >= 0 || this.#maySend(raw, 0)) return this.#standOnName(header, raw)
    return this.#remake(i, baseOffset)
  }

  #modeOfName(i: number): CopyMode {
    const { bytes, header } = this.#headers
    this.#depths[i] = 1
    if (this.#maySend(bytes, header.baseOidAt)) return 'copy'
    return this.#remake(i, this.#pack.entryHeaderAt(this.#offsets[i] as number).baseAt)
  }

  #remake(i: number, baseAt: number): CopyMode {
    this.#depths[i] = 0
    const relative = this.#relatives.find(i, baseAt)
    this.relative = relative >= 0 && (this.#depths[relative] as number) < MAX_DEPTH ? relative : -1
    return 'remake'
  }

  /** The chosen entry that begins at `offset`, or -1. */
  #find(offset: number): number {
    return search(this.count, (i) => this.#offsets[i] as number, offset)
  }

  /** Whether a delta may go out that names the object whose raw id lies at `at`. */
  #maySend(bytes: Uint8Array, at: number): boolean {
    const number = this.#selection.space.find(bytes, at)
    return number >= 0 && (this.#selection.has(number) || this.#rules.mayStandOn(number))
  }

  #standOnPlace(header: EntryHeader, distance: number): CopyMode {
    if (distance === header.baseDistance) return 'copy'
    this.header = this.#encodeOffset(header.size, distance)
    return 'rebase'
  }

  #standOnName(header: EntryHeader, raw: Uint8Array): CopyMode {
    this.header = this.#encodeName(header.size, raw)
    return 'rebase'
  }

  #encodeOffset(size: number, distance: number): Uint8Array {
    return this.#scratch.subarray(0, encodeBaseDistance(distance, this.#scratch, encodeEntryHeader(OFS_DELTA, size, this.#scratch, 0)))
  }

  #encodeName(size: number, raw: Uint8Array): Uint8Array {
    const at = encodeEntryHeader(REF_DELTA, size, this.#scratch, 0)
    this.#scratch.set(raw, at)
    return this.#scratch.subarray(0, at + raw.length)
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
  if (selection.numbers.length >= index.count * DENSE) return ranksAmong(selection, base, index.offsetOrder())
  const chosen = selection.numbers.view().filter((number) => number >= base && number < base + index.count)
  if (chosen.length === 0) return chosen
  const order = index.offsetOrder()
  return chosen.map((number) => search(index.count, (rank) => index.offsetAt(order[rank] as number), index.offsetAt(number - base))).sort()
}

/** A loop takes a fraction of what a filtered iterator does. */
function ranksAmong(selection: Selection, base: number, order: Uint32Array): Uint32Array {
  const ranks = new IntList()
  for (let rank = 0; rank < order.length; rank++) if (selection.has(base + (order[rank] as number))) ranks.push(rank)
  return ranks.view()
}
