import { GitError } from '../errors.ts'

/** What hostile patterns may cost: matching counts its steps here, and each path that is asked about brings a fresh supply. */
export class Effort {
  #left: number
  readonly #perPath: number
  readonly #most: number

  constructor({ perPath, most }: { perPath: number; most: number }) {
    this.#perPath = perPath
    this.#most = most
    this.#left = most
  }

  /** A path is about to be matched. What earlier ones left over is kept, up to a limit: few paths may need much, many may not. */
  nextPath(): void {
    this.#left = Math.min(this.#left + this.#perPath, this.#most)
  }

  /** @throws GitError `limit` when all is spent */
  spend(): void {
    if (--this.#left < 0) throw new GitError('limit', 'Cannot match attributes: the patterns of .gitattributes take too many steps')
  }
}
