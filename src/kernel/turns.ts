/** Work on the same thing, one after another in the order it was asked for: a service of its room, by the thing's key. */
export class Turns<Key = number> {
  readonly #last = new Map<Key, Promise<unknown>>()

  /** Does `work` when all that was asked for before is over, however that ended. */
  async take<T>(key: Key, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).catch(() => {}).then(work)
    this.#last.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key)
    }
  }
}
