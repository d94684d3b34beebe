import type { EventBase } from '#kernel/events.ts'

/** A program said how a commit fares. */
export interface StatusEvent extends EventBase {
  type: 'status'
  repoId: number
  /** The row's id. */
  statusId: number
  oid: string
  context: string
  state: string
}
