import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import type { Concerns } from '#kernel/events.ts'
import { findScheduled, getPlace, listScheduled, listScheduledAt, setPlace } from './scheduled-store.ts'

const EVENTS = 200
const NAME = 'scheduled merges'
/** What of a pull request may let be merged what could not be before. */
const actions = new Set<string>(['synchronized', 'reopened', 'edited', 'retargeted'])

/** Merges what is scheduled as soon as its checks have succeeded; what an earlier run left undone first. */
export function startMergingScheduled(context: Context): void {
  context.events.follow(context.tasks, { name: NAME, placeOf: () => getPlace(context.db), concerns, read: () => followStatuses(context) })
  void context.tasks.start(NAME, () => tryAll(context, listScheduled(context.db)))
}

/** Looks at all events there are, in order. What a crash interrupts is looked at again, which merges nothing twice. */
export async function followStatuses(context: Context): Promise<void> {
  for (;;) {
    const batch = context.events.after(getPlace(context.db), EVENTS)
    const last = batch.at(-1)
    if (last === undefined) return
    await tryAll(context, new Set(batch.flatMap(({ event }) => concernedBy(context, event))))
    if (context.tasks.isStopping) return
    context.db.provisional((tx) => setPlace(tx, last.id))
  }
}

const concerns: Concerns<ForgeEvent> = {
  repository: false,
  push: false,
  status: true,
  release: false,
  wiki: false,
  hook_test: false,
  issue: ({ isPull, action }) => isPull && actions.has(action),
  issue_comment: false,
  pull_review: true,
}

function concernedBy({ db }: Pick<Context, 'db'>, event: ForgeEvent): number[] {
  if (event.type === 'status') return listScheduledAt(db, event.repoId, event.oid)
  if (event.type === 'pull_review') return findScheduled(db, event.issueId) ? [event.issueId] : []
  return event.type === 'issue' && event.isPull && actions.has(event.action) && findScheduled(db, event.issueId) ? [event.issueId] : []
}

async function tryAll(context: Context, issueIds: Iterable<number>): Promise<void> {
  for (const id of issueIds) {
    if (context.tasks.isStopping) return
    // Loaded when there is something to merge, and not with every start.
    const { tryScheduledMerge } = await import('./merge-scheduled.ts')
    await tryScheduledMerge(context, id)
  }
}
