import type { PackFile } from '../pack-file.ts'

/** How far down a chain of deltas to look. */
const MAX_STEPS = 64
/** Of more that stays behind nothing is known any longer: some tens of megabytes. */
const MOST_KNOWN = 500_000

/**
 * For deltas whose bases stay behind, others of their families: objects that stand on the same ones. What a shallow clone wants of a file's
 * versions is little more than one of them and what the others change.
 */
export class Relatives {
  readonly #pack: PackFile
  /** Which chosen entry begins at an offset, -1 when none does. */
  readonly #entryAt: (offset: number) => number
  /** By the offset of what stays behind, the entry that went out last of those that stand on it. */
  readonly #last = new Map<number, number>()
  /** What stays behind below the entry that was asked about last. */
  readonly #passed: number[] = []
  readonly #entry = { type: 0, size: 0, dataAt: 0, baseAt: -1 }

  constructor(pack: PackFile, entryAt: (offset: number) => number) {
    this.#pack = pack
    this.#entryAt = entryAt
  }

  /** The nearest relative that went out before `entry`, a delta whose base lies at `baseAt` and stays behind; -1 when there is none. */
  find(entry: number, baseAt: number): number {
    this.#passed.length = 0
    let at = baseAt
    for (let step = 0; step < MAX_STEPS; step++) {
      this.#passed.push(at)
      const last = this.#last.get(at)
      if (last !== undefined) return last
      at = this.#pack.entryHeaderAt(at, this.#entry).baseAt
      if (at < 0) break
      const relative = this.#entryAt(at)
      if (relative >= 0) return relative < entry ? relative : -1
    }
    return -1
  }

  /** The entry that was asked about last goes out now. */
  add(entry: number): void {
    if (this.#last.size > MOST_KNOWN) this.#last.clear()
    for (const at of this.#passed) this.#last.set(at, entry)
  }
}
