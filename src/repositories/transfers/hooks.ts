import type { Tx } from '#kernel/db.ts'

/** Called in the transaction in which a repository changes hands. */
type Follower = (tx: Tx, repoId: number) => void

/** What rooms above this one do when a repository changes hands. */
export class HandOverHooks {
  readonly #followers: Follower[] = []

  add(follower: Follower): void {
    this.#followers.push(follower)
  }

  run(tx: Tx, repoId: number): void {
    for (const follow of this.#followers) follow(tx, repoId)
  }
}
