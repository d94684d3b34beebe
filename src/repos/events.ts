import type { EventBase } from '../kernel/events.ts'

export interface RepoEvent extends EventBase {
  type: 'repository'
  action: 'created' | 'deleted' | 'renamed'
  repoId: number
  /** `owner/name` at that time. */
  fullName: string
}
