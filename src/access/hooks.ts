import type { RepoInterest } from './interest.ts'
import { interestIn } from './interest-store.ts'

/** The interests that people take in repositories. The rooms above that keep them register them here. */
export class Interests {
  readonly #kinds = new Map<'star' | 'watch', RepoInterest>()

  /** @param table whose rows are of a user and a repository */
  add(table: 'star' | 'watch', own: Omit<RepoInterest, keyof ReturnType<typeof interestIn>>): void {
    this.#kinds.set(table, { ...interestIn(table), ...own })
  }

  get starring(): RepoInterest {
    return this.#kinds.get('star') as RepoInterest
  }

  get watching(): RepoInterest {
    return this.#kinds.get('watch') as RepoInterest
  }

  get all(): RepoInterest[] {
    return [...this.#kinds.values()]
  }
}
