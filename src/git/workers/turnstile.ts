/** Lets one holder in at a time, in the order in which they came. Holders are told apart by identity, and may leave without having been let in. */
export class Turnstile<Holder> {
  readonly #admit: (holder: Holder) => void
  readonly #waiting: Holder[] = []
  #inside: Holder | undefined

  /** @param admit tells a holder that it is in */
  constructor(admit: (holder: Holder) => void) {
    this.#admit = admit
  }

  enter(holder: Holder): void {
    this.#waiting.push(holder)
    this.#next()
  }

  /** For one who is in, who waits, or who is neither. */
  leave(holder: Holder): void {
    const at = this.#waiting.indexOf(holder)
    if (at >= 0) this.#waiting.splice(at, 1)
    if (this.#inside !== holder) return
    this.#inside = undefined
    this.#next()
  }

  #next(): void {
    if (this.#inside !== undefined) return
    this.#inside = this.#waiting.shift()
    if (this.#inside !== undefined) this.#admit(this.#inside)
  }
}
