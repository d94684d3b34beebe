import type { Effort } from '../diff/myers.ts'
import { GitError } from '../errors.ts'

/** The clock is looked at after so many steps. */
const STEPS_BETWEEN_LOOKS = 20_000_000
const MOST_MS = 60_000

/** How much work one merge may be. Texts can be made so that comparing them costs the square of their length. */
export class WorkBudget implements Effort {
  readonly #what: string
  readonly #end: number
  #left: number
  #nextLook: number

  /**
   * @param steps about a nanosecond or two each, once the engine has compiled what takes them
   * @param milliseconds how long it may take all the same, from now on
   */
  constructor(steps: number, what: string, milliseconds = MOST_MS) {
    this.#what = what
    this.#end = performance.now() + milliseconds
    this.#left = steps
    this.#nextLook = steps - STEPS_BETWEEN_LOOKS
  }

  get left(): number {
    return this.#left
  }

  /** @throws GitError `limit` after too long */
  set left(steps: number) {
    this.#left = steps
    if (steps > this.#nextLook) return
    this.#nextLook = steps - STEPS_BETWEEN_LOOKS
    if (performance.now() > this.#end) throw new GitError('limit', `Cannot ${this.#what}: it takes too long`)
  }

  /** @throws GitError `limit` once more has been spent than there was, and after too long */
  spend(steps: number): void {
    this.left -= steps
    if (this.#left < 0) throw new GitError('limit', `Cannot ${this.#what}: it needs too much work for one request`)
  }
}
