import type { EventBase } from '#kernel/events.ts'

export interface RepoEvent extends EventBase {
  type: 'repository'
  action: 'created' | 'deleted' | 'renamed' | 'transferred' | 'offered'
  repoId: number
  /** `owner/name` at that time. */
  fullName: string
  /** Of one that was created as a fork: what it was made from. */
  forkOf?: number
  /** Of one that was renamed: its name before, without the owner's. */
  formerName?: string
  /** Of one that changed hands: `owner/name` before. */
  formerFullName?: string
  /** The account that a repository is offered to. */
  recipientId?: number
}
