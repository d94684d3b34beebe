/**
 * Locks by key within this process: many may share one, or one may hold it alone. Whoever wants it alone asks, and is
 * answered at once: a question makes nobody wait.
 */
export class Locks<Key = number> {
  readonly #entries = new Map<Key, Entry>()

  /** Resolves when nobody holds it alone; call the answer once to leave. */
  async share(key: Key): Promise<() => void> {
    for (let entry = this.#entries.get(key); entry?.isExclusive; entry = this.#entries.get(key)) await entry.changed()
    const entry = this.#entries.get(key) ?? new Entry()
    this.#entries.set(key, entry)
    entry.holders++
    return this.#leaver(key, entry)
  }

  /** Holds it alone from now on; undefined when somebody is in. Call the answer once to leave. */
  tryExclude(key: Key): (() => void) | undefined {
    if (this.#entries.has(key)) return undefined
    const entry = new Entry()
    entry.isExclusive = true
    entry.holders = 1
    this.#entries.set(key, entry)
    return this.#leaver(key, entry)
  }

  #leaver(key: Key, entry: Entry): () => void {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      if (--entry.holders > 0) return
      this.#entries.delete(key)
      entry.wake()
    }
  }
}

/** A lock that somebody holds. */
class Entry {
  holders = 0
  isExclusive = false
  readonly #waiting: (() => void)[] = []

  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  wake(): void {
    for (const resume of this.#waiting.splice(0)) resume()
  }
}
