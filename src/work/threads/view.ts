import type { RepoAccess } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import type { Html, Visit } from '#web/index.ts'
import type { Comment, DeletedComment, ThreadEntry } from '#work/comments/index.ts'
import type { Issue } from '#work/issues/index.ts'
import type { MilestoneRow } from '#work/milestones/index.ts'
import type { SignCount } from '#work/reactions/index.ts'

/** What the viewer can do here. */
export interface ThreadRights {
  comments: boolean
  /** Title and text of the issue. */
  edits: boolean
  plans: boolean
  administers: boolean
  /** The viewer's name. */
  self: string | undefined
}

/** Another issue, as far as the viewer may see it. */
export interface OtherIssue {
  owner: string
  repo: string
  number: number
  title: string
  isClosed: boolean
  isPull: boolean
}

export interface Dependencies {
  /** What this issue waits for, and what waits for it. */
  waits: readonly OtherIssue[]
  blocks: readonly OtherIssue[]
  mayChange: boolean
}

export interface Times {
  spent: readonly { name: string; seconds: number }[]
  /** Since when the viewer's own watch runs for this issue, in seconds since 1970. */
  runningSince: number | undefined
  mayTrack: boolean
}

export interface ThreadView {
  repo: RepoAccess
  issue: Issue
  /** Undefined when nothing was written. */
  body: Html | undefined
  entries: readonly ThreadEntry[]
  /** Comments of this page that are not there any more, oldest first. */
  deleted: readonly DeletedComment[]
  /** By comment. */
  texts: ReadonlyMap<number, Html>
  /** Of the texts, by comment: what a form that changes one says it has seen. */
  versions: ReadonlyMap<number, number>
  assets: ReadonlyMap<number, Comment['assets']>
  reactions: readonly SignCount[]
  /** Those that can be set. */
  signs: readonly string[]
  page: Page
  total: number
  rights: ThreadRights
  isSubscribed: boolean
  /** Undefined where issues of the repository do not depend on one another. */
  dependencies: Dependencies | undefined
  /** Undefined where time is not tracked. */
  times: Times | undefined
  /** For who may plan. */
  choices: { labels: Issue['labels']; milestones: readonly MilestoneRow[]; people: readonly string[] } | undefined
}

/** Where an issue's forms post to. */
export function threadAddress(visit: Visit, { repo: { owner, row }, issue }: Pick<ThreadView, 'repo' | 'issue'>): string {
  return visit.to`/${owner.name}/${row.name}/issues/${issue.number}`
}

/** Where texts are answered as they would be shown. */
export function previewAddress(visit: Visit, { owner, row }: RepoAccess): string {
  return visit.to`/${owner.name}/${row.name}/preview`
}
