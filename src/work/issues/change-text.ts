import type { Tx } from '#kernel/db.ts'
import { addEntry, announce, change, type Deed } from './deed.ts'
import { hasHistory, insertHistory } from './entry-store.ts'
import { linkFrom } from './link-references.ts'
import { noteMentions } from './mentions.ts'
import { indexIssue } from './search-index-store.ts'
import type { IssueRow } from './store.ts'

/** As in Gitea, what is longer is cut. */
const MAX_TITLE = 255

export function trimTitle(title: string): string {
  return [...title.trim()].slice(0, MAX_TITLE).join('')
}

/** Changes title or body, where they differ; what the body was is kept. */
export function setText(tx: Tx, deed: Deed, issue: IssueRow, asked: { title?: string; body?: string }): IssueRow {
  const title = trimTitle(asked.title ?? '') || issue.title
  const body = asked.body ?? issue.body
  const isRetitled = title !== issue.title
  if (!isRetitled && body === issue.body) return issue
  if (body !== issue.body) keepHistory(tx, deed, issue, body)
  const changed = change(tx, deed, issue, { title, body, content_version: issue.content_version + 1 })
  if (isRetitled) addEntry(tx, deed, issue, 'change_title', { old_text: issue.title, new_text: title })
  indexIssue(tx, changed)
  linkFrom(tx, deed, changed, { text: `${title}\n${body}` })
  announce(tx, deed, changed, 'edited', {
    former: { ...(isRetitled ? { title: issue.title } : {}), ...(body === issue.body ? {} : { body: issue.body }) },
    mentioned: noteMentions(tx, deed, changed, body, issue.body),
  })
  return changed
}

function keepHistory(tx: Tx, { doer, at }: Deed, issue: IssueRow, body: string): void {
  const of = { issue_id: issue.id, comment_id: null }
  if (!hasHistory(tx, issue.id, null)) insertHistory(tx, { ...of, editor_id: issue.poster_id, body: issue.body, created_at: issue.created_at })
  insertHistory(tx, { ...of, editor_id: doer.id, body, created_at: at })
}
