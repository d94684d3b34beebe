import { accessStore, anonymous, isBlocked } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import type { Tx } from '#kernel/db.ts'
import type { Concerns } from '#kernel/events.ts'
import type { RepoEvent } from '#repositories/repos/index.ts'
import { accessTo, type CommentEvent, canRead, findIssueById, type IssueEvent, isDraft } from '#work/issues/index.ts'
import type { ReviewEvent } from '#work/reviews/index.ts'
import { pressing, type Reason, type Told } from './reasons.ts'
import {
  getPlace,
  hasUnreadEvents,
  type Interested,
  listAccepting,
  listInterested,
  listMutes,
  listTeamPeople,
  listWrittenComments,
  notify,
  notifyOfOffer,
  setPlace,
} from './store.ts'

/** Events that people may be notified of. */
const concerns: Concerns<ForgeEvent> = {
  repository: true,
  push: false,
  status: false,
  release: false,
  wiki: false,
  hook_test: false,
  issue: true,
  issue_comment: true,
  pull_review: true,
}
/** Events looked at in one transaction… */
const EVENTS = 200
/** …and people told, for each of their reasons: a few milliseconds. */
const PEOPLE = 250
const EVERYBODY = Number.MAX_SAFE_INTEGER

/** Follows events in the background; lists bring themselves up to date before they answer. */
export function startNotifying(context: Pick<Context, 'db' | 'events' | 'tasks'>): void {
  context.events.follow(context.tasks, { name: 'notifications', placeOf: () => getPlace(context.db).event_id, concerns, read: () => takeEvents(context) })
}

/** Tells of all events there are, in order. What a crash interrupts is taken up where it was left. */
export async function takeEvents(context: Pick<Context, 'db' | 'events'>): Promise<void> {
  while (hasUnreadEvents(context.db)) {
    takeSome(context)
    await context.db.rest()
  }
}

function takeSome({ db, events }: Pick<Context, 'db' | 'events'>): void {
  db.provisional((tx) => {
    let [{ event_id, told_to }, room] = [getPlace(tx), PEOPLE]
    for (const { id, at, event } of events.after(event_id, EVENTS)) {
      const audience = audienceOf(tx, event)
      const { people, until } = audience ? listPeople(tx, audience, told_to, room) : nobody
      if (audience) send(tx, audience, people, at)
      if (until < EVERYBODY) told_to = until
      else [event_id, told_to] = [id, 0]
      room -= people.length
      if (room < PEOPLE / 2 || until < EVERYBODY) break
    }
    setPlace(tx, { event_id, told_to })
  })
}

/** Whom an event is told to. */
interface Audience {
  event: RepoEvent | IssueEvent | CommentEvent | ReviewEvent
  /** The comment that it is about. */
  commentId: number | null
  /** Whether everybody is who is interested in the issue. */
  isForAll: boolean
  others: readonly Told[]
}

const nobody = { people: [], until: EVERYBODY }

/** The first of them after somebody, by their ids, and who is the last. */
function listPeople(tx: Tx, { event, isForAll, others }: Audience, after: number, most: number): { people: readonly Told[]; until: number } {
  const interested = isForAll && event.type !== 'repository' ? listInterested(tx, event.issueId, after, most) : []
  const all = [...interested, ...others.filter(({ userId }) => userId > after)].sort((a, b) => a.userId - b.userId)
  // Of the last one there may be further reasons.
  const next = all[most - 1]
  const until = next === undefined ? EVERYBODY : Math.max(next.userId - 1, all[0]?.userId ?? 0)
  const off = new Set(interested.filter(({ is_off }) => is_off === 1))
  return { people: all.filter((one) => one.userId <= until && !off.has(one as Interested)), until }
}

/** Nobody is told of most. */
function audienceOf(tx: Tx, event: ForgeEvent): Audience | undefined {
  if (event.type === 'repository') {
    if (event.action !== 'offered' || event.recipientId === undefined) return undefined
    return { event, commentId: null, ...only(because('offered', listAccepting(tx, event.recipientId))) }
  }
  if (event.type === 'issue') return { event, commentId: null, ...ofIssue(event) }
  if (event.type === 'pull_review') {
    const commentId = event.entryId !== undefined && isWritten(tx, event.entryId) ? event.entryId : null
    return { event, commentId, ...ofReview(tx, event) }
  }
  if (event.type !== 'issue_comment' || event.action === 'deleted' || !isWritten(tx, event.commentId)) return undefined
  return { event, commentId: event.commentId, isForAll: event.action === 'created', others: mentionedIn(event) }
}

function isWritten(tx: Tx, commentId: number): boolean {
  return listWrittenComments(tx, [commentId]).has(commentId)
}

function because(reason: Reason, userIds: readonly number[]): Told[] {
  return userIds.map((userId) => ({ userId, reason }))
}

function mentionedIn({ mentioned = [] }: { mentioned?: readonly number[] }): Told[] {
  return because('mentioned', mentioned)
}

type Recipients = Pick<Audience, 'isForAll' | 'others'>

const only = (others: readonly Told[]): Recipients => ({ isForAll: false, others })

/** A review is told to all who are interested, a request to who is asked: of a team, to everybody in it. */
function ofReview(tx: Tx, event: ReviewEvent): Recipients {
  if (event.action === 'submitted') return { isForAll: true, others: mentionedIn(event) }
  if (event.action === 'dismissed') return only(because('reviewed', [event.reviewerId ?? []].flat()))
  if (event.action !== 'requested') return only([])
  return only(because('review_requested', event.teamId === undefined ? [event.reviewerId ?? []].flat() : listTeamPeople(tx, event.teamId)))
}

function ofIssue(event: IssueEvent): Recipients {
  const others = mentionedIn(event)
  switch (event.action) {
    case 'opened':
      return { isForAll: !(event.isPull && isDraft(event.title)), others }
    case 'closed':
    case 'reopened':
      return { isForAll: true, others: [] }
    case 'assigned':
      return only(because('assigned', [event.assigneeId ?? []].flat()))
    case 'edited':
      return { isForAll: event.isPull && event.former?.title !== undefined && isDraft(event.former.title) && !isDraft(event.title), others }
    default:
      return only([])
  }
}

function send(tx: Tx, { event, commentId }: Audience, told: readonly Told[], at: number): void {
  if (told.length === 0) return
  if (event.type === 'repository') {
    for (const one of listWilling(tx, event.actorId, told)) {
      if (accessStore.isOffered(tx, one.userId, event.repoId)) notifyOfOffer(tx, one, event.repoId, at)
    }
    return
  }
  const issue = findIssueById(tx, event.issueId)
  const repo = issue && accessTo(tx, anonymous, issue.repo_id)
  if (!issue || !repo) return
  for (const one of listWilling(tx, event.actorId, told)) if (canRead(tx, one.userId, repo, issue)) notify(tx, one, issue.id, commentId, at)
}

/** Leaves out the actor, people who block the actor, and people who muted all of their reasons. */
function listWilling(tx: Tx, actorId: number, told: readonly Told[]): Told[] {
  const muted = new Set(listMutes(tx, [...new Set(told.map(({ userId }) => userId))]).map(keyOf))
  const best = pressing(told, (one) => muted.has(keyOf(one)))
  return [...best].map(([userId, reason]) => ({ userId, reason })).filter(({ userId }) => userId !== actorId && !isBlocked(tx, userId, actorId))
}

function keyOf({ userId, reason }: Told): string {
  return `${userId} ${reason}`
}
