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
  /** The one that was read longest ago first, of those that nobody holds. */
  readonly #files = new Map<number, WeakRef<OpenFile>>()
  /** Those that somebody holds, and how often. */
  readonly #held = new Map<number, { file: WeakRef<OpenFile>; times: number }>()

  constructor(most = Math.max(16, Math.floor(((findDescriptors() ?? USUAL) * SHARE) / THREADS))) {
    this.#most = most
  }

  /** A file was read. */
  note(file: OpenFile): void {
    if (!this.#held.has(file.windowKey)) {
      const known = this.#files.get(file.windowKey)
      if (known) this.#files.delete(file.windowKey)
      this.#files.set(file.windowKey, known ?? new WeakRef(file))
    }
    this.#closeOldest()
  }

  /** A file stays open until it is let go as often as it was held, unless all are held. */
  hold(file: OpenFile): void {
    this.#files.delete(file.windowKey)
    const known = this.#held.get(file.windowKey)
    if (known) known.times++
    else this.#held.set(file.windowKey, { file: new WeakRef(file), times: 1 })
    this.#closeOldest()
  }

  letGo(file: OpenFile): void {
    const known = this.#held.get(file.windowKey)
    if (known && --known.times > 0) return
    this.#held.delete(file.windowKey)
    this.note(file)
  }

  #closeOldest(): void {
    if (this.#files.size + this.#held.size <= this.#most) return
    const [oldest] = this.#files
    if (!oldest) return this.#closeHeld()
    this.#files.delete(oldest[0])
    oldest[1].deref()?.rest()
  }

  /** One after another, so that not the same is closed each time. */
  #closeHeld(): void {
    const [oldest] = this.#held
    if (!oldest) return
    this.#held.delete(oldest[0])
    this.#held.set(...oldest)
    oldest[1].file.deref()?.rest()
  }
}
