import type { Clock } from '#kernel/clock.ts'

/** More are not remembered: the one that was touched longest ago goes. */
const MAX_BUCKETS = 20_000

interface Bucket {
  level: number
  /** When the level was that, in milliseconds. */
  at: number
}

/** Counts by name what happens too often: `size` at once, and from then on as many again in each `seconds`. */
export class LeakyBuckets {
  readonly #clock: Clock
  readonly #size: number
  readonly #perMillisecond: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(clock: Clock, size: number, seconds: number) {
    this.#clock = clock
    this.#size = size
    this.#perMillisecond = size / (seconds * 1000)
  }

  /** Seconds until there is room for one more; 0 when there is. */
  wait(name: string): number {
    const over = this.#level(name) + 1 - this.#size
    return over <= 0 ? 0 : Math.ceil(over / this.#perMillisecond / 1000)
  }

  add(name: string): void {
    const level = this.#level(name) + 1
    this.#buckets.delete(name)
    this.#buckets.set(name, { level, at: this.#clock.millis() })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > MAX_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest)
  }

  /** Takes one back that was added too soon. */
  takeBack(name: string): void {
    const bucket = this.#buckets.get(name)
    if (bucket) bucket.level = Math.max(0, bucket.level - 1)
  }

  #level(name: string): number {
    const bucket = this.#buckets.get(name)
    if (!bucket) return 0
    const now = this.#clock.millis()
    // A clock that is put back fills nothing, and nobody waits until it comes there again.
    bucket.at = Math.min(bucket.at, now)
    return Math.max(0, bucket.level - (now - bucket.at) * this.#perMillisecond)
  }
}
