/** What a hook can ask for, in the order in which answers list it. Source: Gitea's `modules/webhook/type.go`. */
export const hookEvents = [
  'create',
  'delete',
  'fork',
  'push',
  'issues',
  'issue_assign',
  'issue_label',
  'issue_milestone',
  'issue_comment',
  'pull_request',
  'pull_request_assign',
  'pull_request_label',
  'pull_request_milestone',
  'pull_request_comment',
  'pull_request_review_approved',
  'pull_request_review_rejected',
  'pull_request_review_comment',
  'pull_request_sync',
  'pull_request_review_request',
  'wiki',
  'repository',
  'release',
  'package',
  'status',
  'workflow_run',
  'workflow_job',
] as const
export type HookEvent = (typeof hookEvents)[number]

const startingWith = (...prefixes: string[]) => hookEvents.filter((event) => prefixes.some((prefix) => event.startsWith(prefix)))

/** Names that stand for several, or for another; compatibility.md §3.6. */
const folded: Readonly<Record<string, readonly HookEvent[]>> = {
  issues: startingWith('issues', 'issue_'),
  issues_only: ['issues'],
  pull_request: startingWith('pull_request'),
  pull_request_only: ['pull_request'],
  pull_request_review: startingWith('pull_request_review_approved', 'pull_request_review_rejected', 'pull_request_review_comment'),
}

/** The events that a body's `events` ask for; none is `push`. Those of other forges are left out, as Gitea does it. */
export function expandEvents(asked: readonly string[]): HookEvent[] {
  if (asked.length === 0) return ['push']
  const wanted = new Set(asked.flatMap(eventsNamed))
  return hookEvents.filter((event) => wanted.has(event))
}

/** How answers name what a hook asks for: the kinds of reviews together, as one can ask for them, and as Gitea knows nothing finer. */
export function foldEvents(events: readonly string[]): string[] {
  const reviews = folded.pull_request_review ?? []
  const first = events.findIndex((event) => reviews.includes(event as HookEvent))
  if (!reviews.every((event) => events.includes(event))) return [...events]
  return events.with(first, 'pull_request_review').filter((event) => !reviews.includes(event as HookEvent))
}

function eventsNamed(asked: string): readonly HookEvent[] {
  const name = asked.toLowerCase()
  const group = Object.hasOwn(folded, name) ? folded[name] : undefined
  if (group) return group
  return hookEvents.filter((event) => event === name)
}
