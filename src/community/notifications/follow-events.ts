import { anonymous, isBlocked } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import { breathe } from '#kernel/breathe.ts'
import type { Tx } from '#kernel/db.ts'
import { accessTo, type CommentEvent, canRead, findIssueById, type IssueEvent, isDraft } from '#work/issues/index.ts'
import type { ReviewEvent } from '#work/reviews/index.ts'
import { pressing, type Reason, type Told } from './reasons.ts'
import { getPlace, hasComment, hasUnreadEvents, listInterested, listMutes, listTeamPeople, notify, setPlace } from './store.ts'

/** What somebody may be told of. */
const told = new Set<ForgeEvent['type']>(['issue', 'issue_comment', 'pull_review'])
/** Events looked at in one transaction. */
const EVENTS = 200

/** Follows events in the background; lists bring themselves up to date before they answer. */
export function startNotifying(context: Pick<Context, 'db' | 'events' | 'jobs'>): void {
  const concerns = ({ type }: ForgeEvent) => told.has(type)
  context.events.follow(context.jobs, { name: 'notifications', placeOf: () => getPlace(context.db), concerns, read: () => takeEvents(context) })
}

/** Tells of all events there are, in order. What a crash interrupts is taken up where it was left. */
export async function takeEvents(context: Pick<Context, 'db' | 'events'>): Promise<void> {
  const { db, events } = context
  while (hasUnreadEvents(db)) {
    db.provisional((tx) => {
      const batch = events.after(getPlace(tx), EVENTS)
      for (const { at, event } of batch) tell(tx, event, at)
      const last = batch.at(-1)
      if (last) setPlace(tx, last.id)
    })
    await breathe()
  }
}

/** Whom an event is told to: nobody of most. */
function tell(tx: Tx, event: ForgeEvent, at: number): void {
  if (event.type === 'issue') send(tx, event, ofIssue(tx, event), null, at)
  if (event.type === 'pull_review')
    send(tx, event, ofReview(tx, event), event.entryId !== undefined && hasComment(tx, event.entryId) ? event.entryId : null, at)
  if (event.type === 'issue_comment' && event.action !== 'deleted' && hasComment(tx, event.commentId)) {
    const interested = event.action === 'created' ? listInterested(tx, event.issueId) : []
    send(tx, event, [...interested, ...mentionedIn(event)], event.commentId, at)
  }
}

function because(reason: Reason, userIds: readonly number[]): Told[] {
  return userIds.map((userId) => ({ userId, reason }))
}

function mentionedIn({ mentioned = [] }: { mentioned?: readonly number[] }): Told[] {
  return because('mentioned', mentioned)
}

/** A review is told to all who are interested, a request to who is asked: of a team, to everybody in it. */
function ofReview(tx: Tx, event: ReviewEvent): readonly Told[] {
  if (event.action === 'submitted') return [...listInterested(tx, event.issueId), ...mentionedIn(event)]
  if (event.action === 'dismissed') return because('reviewed', [event.reviewerId ?? []].flat())
  if (event.action !== 'requested') return []
  return because('review_requested', event.teamId === undefined ? [event.reviewerId ?? []].flat() : listTeamPeople(tx, event.teamId))
}

function ofIssue(tx: Tx, event: IssueEvent): readonly Told[] {
  const mentioned = mentionedIn(event)
  switch (event.action) {
    case 'opened':
      return event.isPull && isDraft(event.title) ? mentioned : [...listInterested(tx, event.issueId), ...mentioned]
    case 'closed':
    case 'reopened':
      return listInterested(tx, event.issueId)
    case 'assigned':
      return because('assigned', [event.assigneeId ?? []].flat())
    case 'edited': {
      const isReady = event.isPull && event.former?.title !== undefined && isDraft(event.former.title) && !isDraft(event.title)
      return isReady ? [...listInterested(tx, event.issueId), ...mentioned] : mentioned
    }
    default:
      return []
  }
}

/** Not to who did it, who blocks that one, who can no longer read it, and who does not want to be told for any of their reasons. */
function send(tx: Tx, { actorId, issueId }: IssueEvent | CommentEvent | ReviewEvent, told: readonly Told[], commentId: number | null, at: number): void {
  const issue = findIssueById(tx, issueId)
  const repo = issue && accessTo(tx, anonymous, issue.repo_id)
  if (!issue || !repo || told.length === 0) return
  const muted = new Set(listMutes(tx, [...new Set(told.map(({ userId }) => userId))]).map(keyOf))
  for (const [userId, reason] of pressing(told, (one) => muted.has(keyOf(one)))) {
    if (userId !== actorId && !isBlocked(tx, userId, actorId) && canRead(tx, userId, repo, issue)) notify(tx, { userId, reason }, issue.id, commentId, at)
  }
}

function keyOf({ userId, reason }: Told): string {
  return `${userId} ${reason}`
}
