import type { Database as Sqlite } from 'bun:sqlite'

/** What holds for a whole transaction. Each says so before it begins: within one it cannot be changed. */
export class TransactionMode {
  readonly #sqlite: Sqlite
  #isDurable = true
  #isCascading = true

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  set(isDurable: boolean, isCascading: boolean): void {
    this.#waitForDisk(isDurable)
    this.cascade(isCascading)
  }

  /** A commit in WAL mode waits for the disk with FULL and not with NORMAL; with either the log is on disk before the database is written. */
  #waitForDisk(isDurable: boolean): void {
    if (isDurable === this.#isDurable) return
    this.#sqlite.run(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
    this.#isDurable = isDurable
  }

  /** Whether rows that refer to a deleted one go along with it, or let go of it; else they stay as they are. */
  cascade(isCascading: boolean): void {
    if (isCascading === this.#isCascading) return
    this.#sqlite.run(`PRAGMA foreign_keys = ${isCascading ? 'ON' : 'OFF'}`)
    this.#isCascading = isCascading
  }
}
