import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import { type Concerns, isConcerned } from '#kernel/events.ts'
import type { IssueEvent } from '#work/issues/index.ts'
import { getPlace, setPlace } from './pull-ends-store.ts'

const EVENTS = 200
const FOLLOW_SECONDS = 5
const NAME = 'reviews'
/** What may make the changes of a pull request others. */
const moves = new Set<string>(['synchronized', 'reopened', 'retargeted'])
/** What may make it ready for its owners; who did it has asked them already, unless it was interrupted. */
const readies = new Set<string>(['opened', 'edited'])

/** Looks at reviews as soon as a branch moves, though nobody asks: rules dismiss some. What an earlier run left undone comes first. */
export function startFollowing(context: Context): void {
  context.events.addReader(() => getPlace(context.db))
  context.tasks.every(FOLLOW_SECONDS, NAME, () => followEvents(context))
  context.events.onRecord(concerns, () => void context.tasks.runTask(NAME))
  context.tasks.runTask(NAME)
}

const concerns: Concerns<ForgeEvent> = {
  repository: false,
  push: false,
  status: false,
  release: false,
  wiki: false,
  hook_test: false,
  issue: ({ isPull, action }) => isPull && (moves.has(action) || readies.has(action)),
  issue_comment: false,
  pull_review: false,
}

/** Looks at all events there are, in order. What a crash interrupts is looked at again. */
export async function followEvents(context: Context): Promise<void> {
  for (;;) {
    const batch = context.events.after(getPlace(context.db), EVENTS)
    const last = batch.at(-1)
    if (last === undefined) return
    for (const { event } of batch) {
      if (context.tasks.isStopping) return
      if (isConcerned(concerns, event)) await follow(context, event as IssueEvent)
    }
    context.db.provisional((tx) => setPlace(tx, last.id))
  }
}

/** What is needed for it is loaded when there is something to do, and not with every start. */
async function follow(context: Context, { action, issueId }: IssueEvent): Promise<void> {
  if (moves.has(action)) await (await import('./settle.ts')).settleReviews(context, issueId)
  if (readies.has(action)) await (await import('./find-owners.ts')).askCodeOwners(context, issueId)
}
