import type { Effort } from '../diff/myers.ts'
import { GitError } from '../errors.ts'

/** How much work one merge may be. Texts can be made so that comparing them costs the square of their length. */
export class WorkBudget implements Effort {
  left: number
  readonly #what: string

  /** @param steps about a nanosecond or two each */
  constructor(steps: number, what: string) {
    this.left = steps
    this.#what = what
  }

  /** @throws GitError `limit` once more has been spent than there was */
  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new GitError('limit', `Cannot ${this.#what}: it is more work than one request may cause`)
  }
}
