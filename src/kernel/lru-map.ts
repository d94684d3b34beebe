/** A map of limited size: what was asked for or set longest ago goes first. What is larger by itself than all may be is not kept. */
export class LruMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number
  readonly #sizeOf: (value: Value) => number
  readonly #onDrop: (value: Value) => void
  #total = 0

  /**
   * @param most of all entries together, in what `sizeOf` counts: by default one for each
   * @param options.sizeOf the same each time for one value
   * @param options.onDrop hears of what goes for want of room, not of what is deleted or replaced
   */
  constructor(most: number, options: { sizeOf?: (value: Value) => number; onDrop?: (value: Value) => void } = {}) {
    super()
    this.#most = most
    this.#sizeOf = options.sizeOf ?? (() => 1)
    this.#onDrop = options.onDrop ?? (() => {})
  }

  override get(key: Key): Value | undefined {
    const value = super.get(key)
    if (value === undefined) return undefined
    super.delete(key)
    super.set(key, value)
    return value
  }

  override set(key: Key, value: Value): this {
    const size = this.#sizeOf(value)
    this.delete(key)
    if (size > this.#most) return this
    super.set(key, value)
    this.#total += size
    for (const [oldest, old] of this) {
      if (this.#total <= this.#most) break
      this.delete(oldest)
      this.#onDrop(old)
    }
    return this
  }

  override getOrInsertComputed(key: Key, compute: (key: Key) => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const made = compute(key)
    this.set(key, made)
    return made
  }

  override delete(key: Key): boolean {
    const value = super.get(key)
    if (value !== undefined) this.#total -= this.#sizeOf(value)
    return super.delete(key)
  }

  override clear(): void {
    super.clear()
    this.#total = 0
  }
}
