interface Request<Holder> {
  holder: Holder
  bytes: number
  sender: string
  /** Whether its holder knows that others wait. */
  isTold: boolean
}

/**
 * Shares out a number of bytes among those who are about to need much memory, whatever thread they work on. They get what they ask for once as much is
 * left; who asks for all of it, or more, has it alone. Senders take turns, those first of whom there was nothing here before: nobody waits for all that
 * somebody else has sent. Nothing here waits: `grant` is called when a holder has its bytes, and `tell` once when those of others wait for them. A holder is any
 * object; it holds once at a time.
 */
export class MemoryTurns<Holder> {
  readonly #grant: (holder: Holder) => void
  readonly #tell: (holder: Holder) => void
  readonly #waiting: Request<Holder>[] = []
  readonly #held = new Map<Holder, Request<Holder>>()
  /** How many turns each sender has had who waits or holds, counted from where the others were when the first of theirs came. */
  readonly #turns = new Map<string, number>()
  readonly #all: number
  #left: number

  constructor(bytes: number, grant: (holder: Holder) => void, tell: (holder: Holder) => void = () => {}) {
    this.#all = bytes
    this.#left = bytes
    this.#grant = grant
    this.#tell = tell
  }

  /** @param sender for whom it works; those who are not told apart share their turns */
  acquire(holder: Holder, bytes: number, sender = ''): void {
    if (!this.#turns.has(sender)) this.#turns.set(sender, this.#turns.size === 0 ? 0 : Math.min(...this.#turns.values()) - 1)
    this.#waiting.push({ holder, bytes: Math.min(bytes, this.#all), sender, isTold: false })
    this.#next()
  }

  /** Has a holder wait for its next turn. */
  pass(holder: Holder): void {
    const held = this.#held.get(holder)
    if (!held) return
    this.#held.delete(holder)
    this.#left += held.bytes
    this.#waiting.push({ ...held, isTold: false })
    this.#next()
  }

  /** For a holder, for one who waits, and without effect for one who is neither. */
  release(holder: Holder): void {
    const at = this.#waiting.findIndex((one) => one.holder === holder)
    const gone = at >= 0 ? this.#waiting.splice(at, 1) : []
    const held = this.#held.get(holder)
    if (held) {
      this.#held.delete(holder)
      this.#left += held.bytes
      gone.push(held)
    }
    for (const { sender } of gone) this.#forgetTurns(sender)
    this.#next()
  }

  #next(): void {
    for (let next = this.#choose(); next && next.bytes <= this.#left; next = this.#choose()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#left -= next.bytes
      this.#held.set(next.holder, next)
      this.#turns.set(next.sender, this.#turnsOf(next) + 1)
      this.#grant(next.holder)
    }
    if (this.#waiting.length > 0) this.#tellHolders()
  }

  #tellHolders(): void {
    for (const held of this.#held.values()) {
      if (held.isTold || this.#waiting.every(({ sender }) => sender === held.sender)) continue
      held.isTold = true
      this.#tell(held.holder)
    }
  }

  #choose(): Request<Holder> | undefined {
    let best = this.#waiting[0]
    for (const one of this.#waiting) if (best && this.#turnsOf(one) < this.#turnsOf(best)) best = one
    return best
  }

  #turnsOf({ sender }: Request<Holder>): number {
    return this.#turns.get(sender) ?? 0
  }

  #forgetTurns(sender: string): void {
    if (![...this.#waiting, ...this.#held.values()].some((one) => one.sender === sender)) this.#turns.delete(sender)
  }
}
