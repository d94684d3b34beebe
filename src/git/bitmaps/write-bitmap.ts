import type { Checkpoint } from '../checkpoint.ts'
import type { CommitSource } from '../history/commit-source.ts'
import { GraphFile } from '../history/graph-file.ts'
import type { ObjectFormat, Oid } from '../objects/oid.ts'
import { readEntryTypes } from '../packs/entry-types.ts'
import type { PackFile } from '../packs/pack-file.ts'
import { ObjectSpace } from '../packs/select/object-space.ts'
import type { DiskStore } from '../store/disk.ts'
import { bitmapPath, LEAST_OBJECTS } from './bitmap-path.ts'
import { Bitset } from './bitset.ts'
import { encodeEwah, flipEwah } from './ewah.ts'
import { FULL_DAG, SIGNATURE, VERSION } from './pack-bitmap.ts'
import { listParentsFirst, PackHistory } from './pack-history.ts'

export interface WriteBitmapsOptions {
  /** Commits that refs lead to. */
  tips: readonly Oid[]
  /** Where the file lies until it is whole, on the same file system. */
  temporary?: string | undefined
  /** Packs of fewer objects go without. Default: `LEAST_OBJECTS`. */
  least?: number
  checkpoint: Checkpoint
}

/** What is held for each object while bitmaps are made must have a bound. */
const MOST_OBJECTS = 2_000_000
/** Besides tips, one commit in so many has a bitmap, and of long histories so many have one. */
const LEAST_APART = 100
const MOST_BETWEEN = 512
/** Of very many refs, so many of those that were listed last. */
const MOST_TIPS = 1024
/** To read one, so many others that it differs from are read at most. */
const MOST_CHAINED = 16
/** What is held of bitmaps until they are written. */
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Writes git's reachability bitmaps beside the largest pack, in one rename, for those commits that have all that they reach in it.
 * Answers how many got one; 0 when nothing was written, because the pack is too small or too large, or there is no such commit.
 * @throws GitError as reading the store does
 */
export async function writeBitmaps(store: DiskStore, source: CommitSource, options: WriteBitmapsOptions): Promise<number> {
  const space = new ObjectSpace(store)
  const [pack] = space.packs
  const { tips, temporary, least = LEAST_OBJECTS, checkpoint } = options
  if (!pack || pack.index.count < least || pack.index.count > MOST_OBJECTS) return 0
  const history = new PackHistory(source, await listParentsFirst(source, tips, checkpoint))
  if (!(await history.read(space, pack, checkpoint))) return 0
  // What was read of trees is of use no more.
  Bun.gc(true)
  const chosen = chooseCommits(history, new Set(tips.map((tip) => source.idOf(tip))))
  const bitmaps = new Bitmaps(history, pack.index.count)
  for (const id of chosen) {
    bitmaps.add(id)
    if (bitmaps.bytes > MAX_BYTES) return 0
    const wait = checkpoint()
    if (wait) await wait
  }
  if (chosen.length > 0) await writeFile(pack, store.format, await typesOf(pack, checkpoint), bitmaps, temporary)
  return chosen.length
}

/** Parents before their children. */
function chooseCommits(history: PackHistory, tips: ReadonlySet<number>): number[] {
  const whole = history.commits.filter((id) => history.findBit(id) !== undefined)
  const apart = Math.max(LEAST_APART, Math.ceil(whole.length / MOST_BETWEEN))
  const lastTips = new Set(whole.filter((id) => tips.has(id)).slice(-MOST_TIPS))
  return whole.filter((id, i) => lastTips.has(id) || (whole.length - 1 - i) % apart === 0)
}

interface Made {
  bit: number
  /** How many before it lies the one that it differs from by `ewah`; 0 for none. */
  back: number
  /** How many are read to have it. */
  chain: number
  ewah: Uint8Array
}

/** The bitmaps of commits that come parents first. */
class Bitmaps {
  readonly made: Made[] = []
  bytes = 0
  readonly #history: PackHistory
  readonly #size: number
  readonly #rows = new Map<number, number>()
  /** The one made last, the one that is being made, and what is between them or was read: used again and again. */
  #last: Bitset
  #next: Bitset
  readonly #scratch: Bitset

  /** @param size how many objects the pack has */
  constructor(history: PackHistory, size: number) {
    this.#history = history
    this.#size = size
    this.#last = new Bitset(size)
    this.#next = new Bitset(size)
    this.#scratch = new Bitset(size)
  }

  add(id: number): void {
    this.#reach(id)
    const before = this.made.at(-1)
    const isChained = before !== undefined && before.chain < MOST_CHAINED
    const ewah = Uint8Array.prototype.slice.call(encodeEwah(isChained ? this.#difference() : this.#next))
    this.#rows.set(id, this.made.length)
    this.made.push({ bit: this.#history.findBit(id) as number, back: isChained ? 1 : 0, chain: isChained ? before.chain + 1 : 1, ewah })
    this.bytes += ewah.length
    ;[this.#last, this.#next] = [this.#next, this.#last]
  }

  #reach(tip: number): void {
    const bits = this.#next
    bits.clear()
    const stack = [tip]
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (bits.has(this.#history.findBit(id) as number)) continue
      const row = this.#rows.get(id)
      if (row !== undefined) {
        bits.addAll(this.#read(row))
        continue
      }
      this.#history.addChanges(id, bits)
      for (const parent of this.#history.parents(id)) stack.push(parent)
    }
  }

  #read(row: number): Bitset {
    if (row === this.made.length - 1) return this.#last
    this.#scratch.clear()
    for (let at = row; ; ) {
      const { ewah, back } = this.made[at] as Made
      flipEwah(new DataView(ewah.buffer, ewah.byteOffset, ewah.byteLength), 0, this.#scratch, this.#size)
      if (back === 0) return this.#scratch
      at -= back
    }
  }

  #difference(): Bitset {
    this.#scratch.clear()
    this.#scratch.addAll(this.#next)
    this.#scratch.flipAll(this.#last)
    return this.#scratch
  }
}

/** Commits, trees, blobs and tags, as the numbers of the types go. */
async function typesOf(pack: PackFile, checkpoint: Checkpoint): Promise<Bitset[]> {
  const types = await readEntryTypes(pack, checkpoint)
  const found = Array.from({ length: 4 }, () => new Bitset(types.length))
  for (let rank = 0; rank < types.length; rank++) found[(types[rank] as number) - 1]?.add(rank)
  return found
}

/** Pieces that a file's buffer takes. */
const PIECE_BYTES = 64 * 1024

async function writeFile(pack: PackFile, format: ObjectFormat, types: readonly Bitset[], { made }: Bitmaps, temporary: string | undefined): Promise<void> {
  const file = new GraphFile(bitmapPath(pack.path), format, temporary)
  const put = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) file.bytes(bytes.subarray(at, at + PIECE_BYTES))
  }
  try {
    file.u32(SIGNATURE)
    file.u32(VERSION * 2 ** 16 + FULL_DAG)
    file.u32(made.length)
    put(pack.index.packChecksum)
    for (const bits of types) put(encodeEwah(bits))
    const order = pack.index.offsetOrder()
    for (const { bit, back, ewah } of made) {
      file.u32(order[bit] as number)
      file.bytes(Uint8Array.of(back, 0))
      put(ewah)
    }
    file.finish()
  } finally {
    file.discard()
  }
}
