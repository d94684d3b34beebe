import { Problem } from '#kernel/errors.ts'

/** How many may wait: for the turn of one name, and in all. */
const MAX_IN_LINE = 20
const MAX_WAITING = 200

/**
 * Lets a few pieces of work run at once. Further ones wait in a line for each name, and the names take turns: a crowd for
 * one keeps nobody else waiting for long.
 */
export class FairQueue {
  readonly #most: number
  readonly #lines = new Map<string, (() => void)[]>()
  #running = 0
  #waiting = 0

  constructor(most: number) {
    this.#most = most
  }

  /** @throws Problem 429 when too many wait already: before anything is counted or begun that the work would be */
  requireRoom(name: string): void {
    const isFull = (this.#lines.get(name)?.length ?? 0) >= MAX_IN_LINE || this.#waiting >= MAX_WAITING
    if (this.#running >= this.#most && isFull) throw new Problem(429, 'Too many sign-in requests. Try again in a moment.', { headers: { 'Retry-After': '1' } })
  }

  /** @throws Problem 429 as `requireRoom` */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.requireRoom(name)
    if (this.#running < this.#most) this.#running++
    else await this.#placeFor(name)
    try {
      return await work()
    } finally {
      this.#passOn()
    }
  }

  #placeFor(name: string): Promise<void> {
    const line = this.#lines.get(name) ?? []
    const { promise, resolve } = Promise.withResolvers<void>()
    line.push(resolve)
    this.#lines.set(name, line)
    this.#waiting++
    return promise
  }

  /** The place goes to the name that was served longest ago, which queues up again behind the others. */
  #passOn(): void {
    const [next] = this.#lines
    if (!next) return void this.#running--
    const [name, line] = next
    this.#lines.delete(name)
    const enter = line.shift()
    if (line.length > 0) this.#lines.set(name, line)
    this.#waiting--
    enter?.()
  }
}
