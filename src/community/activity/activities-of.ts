import type { ForgeEvent } from '#events.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import type { PushEvent, RefChange } from '#repositories/refs/index.ts'
import type { RepoEvent } from '#repositories/repos/index.ts'
import type { IssueEvent } from '#work/issues/index.ts'
import type { ReviewEvent } from '#work/reviews/index.ts'
import { nothingPushed } from './pushed-commits.ts'
import type { NewActivity } from './store.ts'

/**
 * Returns what feeds tell of an event, in order; nothing for most events. Exhaustive: an event of a new kind has to be thought of here.
 * @param textOf the text of a comment on a line, by its id. The number of activities must not depend on it: they are counted while they are made.
 */
export function activitiesOf(event: ForgeEvent, textOf: (commentId: number) => string): NewActivity[] {
  switch (event.type) {
    case 'repository':
      return ofRepo(event)
    case 'push':
      return ofPush(event)
    case 'status':
    case 'wiki':
    case 'hook_test':
      return []
    case 'release':
      return event.action === 'published' ? [activity('publish_release', { ref_name: event.tagName, content: event.title })] : []
    case 'issue':
      return ofIssue(event)
    case 'issue_comment':
      return event.action === 'created'
        ? [activity(event.isPull ? 'comment_pull' : 'comment_issue', { content: contentOf(event.number, event.body), comment_id: event.commentId })]
        : []
    case 'pull_review':
      return ofReview(event, textOf)
    default:
      return nothing(event)
  }
}

/** Of requests and of what is taken back nothing is told. */
function ofReview({ action, state, number, body, entryId, commentIds = [] }: ReviewEvent, textOf: (commentId: number) => string): NewActivity[] {
  const own = { content: contentOf(number, body), comment_id: entryId ?? null }
  if (action === 'dismissed') return [activity('pull_review_dismissed', own)]
  if (action !== 'submitted') return []
  const onLines = commentIds.map((id) => activity('comment_pull', { content: contentOf(number, textOf(id)), comment_id: id }))
  const type = state === 'APPROVED' ? 'approve_pull_request' : state === 'REQUEST_CHANGES' ? 'reject_pull_request' : 'comment_pull'
  return type === 'comment_pull' && body.trim() === '' ? onLines : [...onLines, activity(type, own)]
}

/** Gitea's form of the content: the number, and what was written. */
function contentOf(number: number, text: string): string {
  return `${number}|${text.slice(0, 200)}`
}

function ofRepo({ action, formerName = '', formerFullName = '' }: RepoEvent): NewActivity[] {
  switch (action) {
    case 'created':
      return [activity('create_repo')]
    case 'renamed':
      return [activity('rename_repo', { content: formerName })]
    case 'transferred':
      return [activity('transfer_repo', { content: formerFullName })]
    case 'deleted':
    case 'offered':
      return []
    default:
      return nothing(action)
  }
}

function ofIssue({ action, isPull, number, title, entryId, isAutoMerge = false }: IssueEvent): NewActivity[] {
  const content = `${number}|${title}`
  switch (action) {
    case 'opened':
      return [activity(isPull ? 'create_pull_request' : 'create_issue', { content })]
    case 'closed':
      return [activity(isPull ? 'close_pull_request' : 'close_issue', { content, comment_id: entryId ?? null })]
    case 'reopened':
      return [activity(isPull ? 'reopen_pull_request' : 'reopen_issue', { content, comment_id: entryId ?? null })]
    case 'merged':
      return [activity(isAutoMerge ? 'auto_merge_pull_request' : 'merge_pull_request', { content })]
    default:
      return []
  }
}

/** As in Gitea a new branch is told of twice, as created and as pushed to. Of refs that are neither branches nor tags nothing is told. */
function ofPush({ changes }: PushEvent): NewActivity[] {
  return changes.flatMap((change) => {
    if (change.name.startsWith(TAGS)) return ofTag(change)
    return change.name.startsWith(HEADS) ? ofBranch(change) : []
  })
}

function ofTag({ name, before, after }: RefChange): NewActivity[] {
  if (after === SHA1.zero) return [activity('delete_tag', { ref_name: name, content: nothingPushed })]
  return [activity('push_tag', { ref_name: name, before_oid: before, after_oid: after, content: null })]
}

function ofBranch({ name, before, after }: RefChange): NewActivity[] {
  if (after === SHA1.zero) return [activity('delete_branch', { ref_name: name })]
  const pushed = activity('commit_repo', { ref_name: name, before_oid: before, after_oid: after, content: null })
  return before === SHA1.zero ? [activity('commit_repo', { ref_name: name }), pushed] : [pushed]
}

/** What another version recorded stops nobody; what this one does never comes here, or does not compile. */
function nothing(_: never): NewActivity[] {
  return []
}

function activity(op_type: NewActivity['op_type'], more: Partial<NewActivity> = {}): NewActivity {
  return { op_type, ref_name: '', before_oid: '', after_oid: '', content: '', comment_id: null, ...more }
}
