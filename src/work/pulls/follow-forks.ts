import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import type { Concerns } from '#kernel/events.ts'
import { listPushed } from './push-store.ts'

const AGAIN_SECONDS = 30
const NAME = 'pushes to pull requests of forks'
/** Events after which a branch of a fork may have new commits. */
const concerns: Concerns<ForgeEvent> = {
  repository: false,
  push: true,
  status: false,
  release: false,
  wiki: false,
  hook_test: false,
  issue: true,
  issue_comment: false,
  pull_review: false,
}
/** So many pull requests are brought up to date at once. */
const MOST_AT_ONCE = 4

/** Brings pull requests up to what was pushed to their branches in other repositories, and first what an earlier run left undone. */
export function startFollowingForks(context: Context): void {
  const following = new Following(context)
  context.tasks.every(AGAIN_SECONDS, NAME, () => following.again())
  context.events.onRecord(concerns, () => following.go())
  following.go()
}

class Following {
  readonly #context: Context
  readonly #busy = new Set<number>()
  /** What failed is tried again later, and not at once. */
  #failed = new Set<number>()

  constructor(context: Context) {
    this.#context = context
  }

  again(): void {
    this.#failed = new Set()
    this.go()
  }

  go(): void {
    if (this.#context.tasks.isStopping || this.#busy.size >= MOST_AT_ONCE) return
    const passed = this.#busy.size + this.#failed.size
    for (const id of listPushed(this.#context.db, passed + MOST_AT_ONCE)) {
      if (this.#busy.size >= MOST_AT_ONCE) return
      if (!this.#busy.has(id) && !this.#failed.has(id)) this.#take(id)
    }
  }

  #take(id: number): void {
    this.#busy.add(id)
    const work = async () => {
      // Loaded when there is something to take, and not with every start.
      const { takePushes } = await import('./take-pushes.ts')
      await takePushes(this.#context, id)
      this.#failed.delete(id)
    }
    this.#failed.add(id)
    void this.#context.tasks.start(NAME, work).finally(() => {
      this.#busy.delete(id)
      this.go()
    })
  }
}
