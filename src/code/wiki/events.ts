import type { EventBase } from '#kernel/events.ts'

/** A page was changed through the API or a page of ours; a push to the wiki tells nothing, as in Gitea. */
export interface WikiEvent extends EventBase {
  type: 'wiki'
  action: 'created' | 'edited' | 'deleted'
  repoId: number
  /** Its name, as addresses have it. */
  page: string
  /** The commit's message. */
  comment: string
}
