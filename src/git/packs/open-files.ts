import { findDescriptors } from '#kernel/descriptors.ts'

/** As many threads may read packs at once, one that ends included. */
const THREADS = 10
/** The other half is for connections and everything else. */
const SHARE = 1 / 2
/** Where nothing tells how many files the process may open. */
const USUAL = 4096

/** A file that opens itself when it is read. */
interface OpenFile {
  /** Names it among those of the thread. */
  readonly windowKey: number
  /** Closes it, if it can be opened again. */
  rest(): void
}

/**
 * The packs that a thread has open, which are its share of what the process may open at most: the one that was read longest ago is closed for another.
 * A repository that was pushed to often has dozens, and a thread keeps many repositories.
 */
export class OpenFiles {
  readonly #most: number
  /** The one that was read longest ago first. */
  readonly #files = new Map<number, WeakRef<OpenFile>>()

  constructor(most = Math.max(16, Math.floor(((findDescriptors() ?? USUAL) * SHARE) / THREADS))) {
    this.#most = most
  }

  /** A file was read. */
  note(file: OpenFile): void {
    const known = this.#files.get(file.windowKey)
    if (known) this.#files.delete(file.windowKey)
    this.#files.set(file.windowKey, known ?? new WeakRef(file))
    if (this.#files.size <= this.#most) return
    const [oldest] = this.#files
    if (!oldest) return
    this.#files.delete(oldest[0])
    oldest[1].deref()?.rest()
  }
}
