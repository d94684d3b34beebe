import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import { Problem } from '#kernel/errors.ts'
import { activitiesOf } from './activities-of.ts'
import { nothingPushed, readPush } from './pushed-commits.ts'
import { type ActivityRow, getPlace, insertActivity, listUnread, setContent, setPlace } from './store.ts'

/** Events looked at in one transaction. */
const EVENTS = 500
/** Pushes that workers are asked about at a time: what a page of a feed may hold. */
const PUSHES = 50
/** How long the commits of a push wait to be read, so that a burst is read at once: until then they can be merged, or pushed away. */
const DELAY_MS = 1000
/** How often what could not be read is tried again. */
const RETRY_SECONDS = 60

/**
 * Follows events in the background, from where an earlier run left off: woken by each that is recorded. Feeds need not wait for
 * that; each brings up to date what it shows.
 */
export function startFollowing(context: Context): void {
  const { jobs } = context
  let isWoken = false
  let isRunning = false
  const follow = async () => {
    isRunning = true
    try {
      await takeEvents(context)
      await readUnread(context)
    } finally {
      isRunning = false
    }
  }
  const run = async (): Promise<void> => {
    // What is recorded while an earlier run is at its end would be passed over.
    if (isRunning) return jobs.later(DELAY_MS, 'activity', run)
    isWoken = false
    await follow()
  }
  const wake = () => {
    if (isWoken) return
    isWoken = true
    jobs.later(DELAY_MS, 'activity', run)
  }
  jobs.every(RETRY_SECONDS, 'activity', async () => {
    if (!isRunning) await follow()
  })
  context.events.addReader(() => getPlace(context.db))
  context.events.onRecord(wake)
  wake()
}

/** Makes activities of all events there are, in order. What a crash interrupts is taken up where it was left. */
export async function takeEvents(context: Context): Promise<void> {
  while (hasMore(context)) {
    takeSome(context)
    await new Promise(setImmediate)
  }
}

function hasMore({ db, events }: Context): boolean {
  return events.after(getPlace(db), 1).length > 0
}

function takeSome({ db, events }: Context): void {
  db.tx((tx) => {
    const batch = events.after(getPlace(tx), EVENTS)
    for (const { at, event } of batch) {
      for (const activity of activitiesOf(event)) insertActivity(tx, { ...activity, actor_id: event.actorId, repo_id: event.repoId, created_at: at })
    }
    const last = batch.at(-1)
    if (last) setPlace(tx, last.id)
  })
}

async function readUnread(context: Context): Promise<void> {
  let rows = listUnread(context.db, 0, PUSHES)
  for (let last = rows.at(-1); last && !context.jobs.isStopping; last = rows.at(-1)) {
    await readPushes(context, rows)
    rows = listUnread(context.db, last.id, PUSHES)
  }
}

/** Reads the commits of those pushes among `rows` whose commits have not been read. @returns whether there were any */
export async function readPushes(context: Context, rows: readonly ActivityRow[]): Promise<boolean> {
  const unread = rows.filter((row) => row.content === null)
  if (unread.length === 0) return false
  const contents = await Promise.all(unread.map(async (row) => ({ id: row.id, content: await contentOf(context, row) })))
  context.db.tx((tx) => {
    for (const { id, content } of contents) if (content !== undefined) setContent(tx, id, content)
  })
  return true
}

/** Undefined when it could not be found out, and may be later. */
async function contentOf(context: Context, row: ActivityRow): Promise<string | undefined> {
  try {
    return await readPush(context, row)
  } catch (error) {
    if (error instanceof GitError || error instanceof Problem) return nothingPushed
    context.log.error('cannot read what was pushed', error, { repo: row.repo_id })
    return undefined
  }
}
