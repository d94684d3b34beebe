import type { Context } from '#context.ts'
import type { ForgeEvent } from '#events.ts'
import { GitError } from '#git/errors.ts'
import { inAnyCase } from '#kernel/askers.ts'
import { breathe } from '#kernel/breathe.ts'
import { Problem } from '#kernel/errors.ts'
import type { Concerns } from '#kernel/events.ts'
import { findText } from '#work/comments/index.ts'
import { activitiesOf } from './activities-of.ts'
import { describePushes, nothingPushed } from './pushed-commits.ts'
import { type ActivityRow, getPlace, hasUnreadEvents, insertActivity, listUnread, type NewActivity, setContent, setPlace } from './store.ts'

/** Events that feeds tell of. */
const concerns: Concerns<ForgeEvent> = {
  repository: true,
  push: true,
  status: false,
  release: true,
  wiki: false,
  hook_test: false,
  issue: true,
  issue_comment: true,
  pull_review: true,
}
/** So much is made or passed over in one transaction, while everybody waits: a push may move more refs than that. */
const AT_ONCE = 100
/** Pushes that workers are asked about at a time: what a page of a feed may hold. */
const PUSHES = 50
/**
 * Follows events in the background, from where an earlier run left off. Feeds need not wait for that; each brings up to date what it shows.
 */
export function startFollowing(context: Context): void {
  context.events.follow(context.tasks, { name: 'activity', placeOf: () => getPlace(context.db).event_id, concerns, read: () => follow(context) })
}

async function follow(context: Context): Promise<void> {
  await takeEvents(context)
  await readUnread(context)
}

/** What comes next: a push of very many refs is made of in many transactions, and read but once. */
class NextEvent {
  readonly #events: Context['events']
  readonly #textOf: (commentId: number) => string
  #after = 0
  #found: { id: number; at: number; event: ForgeEvent; activities: NewActivity[] } | undefined

  constructor({ db, events }: Pick<Context, 'db' | 'events'>) {
    this.#events = events
    this.#textOf = (id) => findText(db, id) ?? ''
  }

  after(id: number) {
    if (this.#found === undefined || this.#after !== id) {
      const [next] = this.#events.after(id, 1)
      this.#found = next && { ...next, activities: activitiesOf(next.event, this.#textOf) }
      this.#after = id
    }
    return this.#found
  }
}

/** Makes activities of all events there are, in order. What a crash interrupts is taken up where it was left. */
export async function takeEvents(context: Pick<Context, 'db' | 'services'>): Promise<void> {
  while (hasUnreadEvents(context.db)) {
    takeSome(context)
    await breathe()
  }
}

function takeSome({ db, services }: Pick<Context, 'db' | 'services'>): void {
  const events = services.get(NextEvent)
  db.provisional((tx) => {
    let [{ event_id: last, made }, room] = [getPlace(tx), AT_ONCE]
    for (let next = events.after(last); next && room > 0; next = events.after(last)) {
      const { id, at, event, activities } = next
      const some = activities.slice(made, made + room)
      for (const activity of some) insertActivity(tx, { ...activity, actor_id: event.actorId, repo_id: event.repoId, created_at: at, event_id: id })
      room -= Math.max(some.length, sizeOf(event))
      made += some.length
      if (made >= activities.length) [last, made] = [id, 0]
    }
    setPlace(tx, { event_id: last, made })
  })
}

/** What reading an event takes, whatever is told of it. */
function sizeOf(event: ForgeEvent): number {
  if (event.type === 'pull_review') return 1 + (event.commentIds?.length ?? 0)
  return event.type === 'push' ? event.changes.length : 1
}

async function readUnread(context: Context): Promise<void> {
  let rows = listUnread(context.db, 0, PUSHES)
  for (let last = rows.at(-1); last && !context.tasks.isStopping; last = rows.at(-1)) {
    await readPushes(context, rows)
    rows = listUnread(context.db, last.id, PUSHES)
  }
}

/** Reads the commits of those pushes among `rows` whose commits have not been read. @returns whether there were any */
export async function readPushes(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>,
  rows: readonly ActivityRow[],
): Promise<boolean> {
  const unread = rows.filter((row) => row.content === null)
  if (unread.length === 0) return false
  const byRepo = Map.groupBy(unread, (row) => row.repo_id)
  const contents = await inAnyCase(() => Promise.all([...byRepo].map(([repoId, pushes]) => contentsOf(context, repoId, pushes))))
  context.db.provisional((tx) => {
    for (const { id, content } of contents.flat()) setContent(tx, id, content)
  })
  return true
}

/** None when it could not be found out, and may be later. */
async function contentsOf(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>,
  repoId: number,
  pushes: readonly ActivityRow[],
): Promise<{ id: number; content: string }[]> {
  try {
    const contents = await describePushes(context, repoId, pushes)
    return pushes.map(({ id }, i) => ({ id, content: contents[i] ?? nothingPushed }))
  } catch (error) {
    if (error instanceof GitError || error instanceof Problem) return pushes.map(({ id }) => ({ id, content: nothingPushed }))
    context.log.error('cannot read the commits of a push', error, { repo: repoId })
    return []
  }
}
