/** A mutex for each key within this process: whoever asks for the same key gets it one after another, in the order of asking. */
export class KeyedMutex<Key = number> {
  /** By key, when the last of those who asked so far will have released it. */
  readonly #lastReleased = new Map<Key, Promise<void>>()

  /** Waits until all who asked before have released it. Call the answer to release it. */
  async acquire(key: Key): Promise<() => void> {
    const before = this.#lastReleased.get(key)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    this.#lastReleased.set(key, released)
    await before
    return () => {
      if (this.#lastReleased.get(key) === released) this.#lastReleased.delete(key)
      release()
    }
  }

  /** Does `work` while it holds the key's mutex; that the work fails keeps nobody else from theirs. */
  async run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(key)
    try {
      return await work()
    } finally {
      release()
    }
  }
}
