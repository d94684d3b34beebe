/**
 * A line in which nobody waits for all that somebody else has sent: those of each name come in turn and, among those of one name, each of the next
 * name. What has no name goes first.
 */
export class FairLine<T> {
  readonly #own: T[] = []
  readonly #lines = new Map<string, FairLine<T>>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(one: T, [name, ...names]: readonly string[]): void {
    this.#length++
    if (name === undefined) this.#own.push(one)
    else this.#lines.getOrInsertComputed(name, () => new FairLine()).push(one, names)
  }

  shift(): T | undefined {
    const [next] = this.#lines
    if (this.#length > 0) this.#length--
    if (this.#own.length > 0 || !next) return this.#own.shift()
    const [name, line] = next
    const one = line.shift()
    this.#lines.delete(name)
    if (line.length > 0) this.#lines.set(name, line)
    return one
  }
}
