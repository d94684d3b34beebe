import { readsPublicReposOnly, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Page } from '#kernel/page.ts'
import { type Feed, listActivities, listContributions, type Reader, type TimeSpan } from './feed-store.ts'
import { readPushes, takeEvents } from './follow-events.ts'
import type { Activity } from './schema.ts'
import { presentActivities } from './view.ts'

export const DAY = 86_400
/** A year, and the week that it begins in. */
const HEATMAP_SECONDS = (366 + 7) * DAY

interface FeedOptions {
  page: Page
  /** Only what happened then. */
  day?: TimeSpan | undefined
  /** Whose feed it is, where it is not its actors'. */
  receiverId?: number | undefined
}

/** One page of a feed, with all that was acknowledged before it was asked for. What is seen is decided when everything has been read. */
export async function readFeed(
  context: Context,
  viewer: Viewer,
  feed: Feed,
  { page, day, receiverId }: FeedOptions,
): Promise<{ activities: Activity[]; total: number }> {
  const list = () => listActivities(context.db, readerOf(viewer), feed, page, day)
  await takeEvents(context)
  let found = list()
  if (await readPushes(context, found.rows)) found = list()
  return { activities: presentActivities(context, viewer, found.rows, receiverId), total: found.total }
}

/** How much somebody did in each quarter of an hour of the last year. */
export async function readContributions(
  context: Pick<Context, 'db' | 'events' | 'clock'>,
  viewer: Viewer,
  personId: number,
): Promise<{ timestamp: number; contributions: number }[]> {
  await takeEvents(context)
  return listContributions(context.db, readerOf(viewer), personId, context.clock.seconds() - HEATMAP_SECONDS)
}

function readerOf(viewer: Viewer): Reader {
  return { viewer, publicOnly: readsPublicReposOnly(viewer) }
}
