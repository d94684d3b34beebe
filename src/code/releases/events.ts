import type { EventBase } from '#kernel/events.ts'

/** Drafts are nobody's business: what becomes of them is not announced. */
export interface ReleaseEvent extends EventBase {
  type: 'release'
  action: 'published' | 'updated' | 'deleted'
  repoId: number
  releaseId: number
  tagName: string
  title: string
}
