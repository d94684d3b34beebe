import type { Acting } from '#kernel/acting.ts'
import type { EventBase } from '#kernel/events.ts'

export interface RefChange {
  name: string
  /** All zeros for a ref that is new. */
  before: string
  /** All zeros for a ref that is gone. */
  after: string
  /** `after` does not contain `before`. */
  forced: boolean
}

/** Refs changed together, by a push or through the API. */
export interface PushEvent extends EventBase {
  type: 'push'
  repoId: number
  changes: RefChange[]
  /** The accounts whose rights commit messages use in other repositories; all of them must have the right. Absent: the messages act in this repository only. */
  acting?: readonly Acting[]
}
