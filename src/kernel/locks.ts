/** Locks by key within this process: many may share one, or one may hold it alone. Waiters are served in order. */
export class Locks {
  readonly #entries = new Map<number, Entry>()

  /** Resolves when no exclusive holder is in or ahead; call the answer once to leave. */
  async share(key: number): Promise<() => void> {
    const entry = this.#entry(key)
    while (entry.exclusive || entry.waitingExclusive > 0) await entry.changed()
    entry.shared++
    return this.#leaver(key, entry, () => entry.shared--)
  }

  /** Resolves when nobody else is in; newcomers wait from the moment of the call. */
  async exclude(key: number): Promise<() => void> {
    const entry = this.#entry(key)
    entry.waitingExclusive++
    while (entry.exclusive || entry.shared > 0) await entry.changed()
    entry.waitingExclusive--
    entry.exclusive = true
    return this.#leaver(key, entry, () => {
      entry.exclusive = false
    })
  }

  #entry(key: number): Entry {
    const entry = this.#entries.get(key) ?? new Entry()
    this.#entries.set(key, entry)
    return entry
  }

  #leaver(key: number, entry: Entry, leave: () => void): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      leave()
      if (!entry.exclusive && entry.shared === 0 && entry.waitingExclusive === 0 && entry.isUnwatched) this.#entries.delete(key)
      entry.wake()
    }
  }
}

class Entry {
  shared = 0
  exclusive = false
  waitingExclusive = 0
  #waiting: (() => void)[] = []

  get isUnwatched(): boolean {
    return this.#waiting.length === 0
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  wake(): void {
    for (const resume of this.#waiting.splice(0)) resume()
  }
}
