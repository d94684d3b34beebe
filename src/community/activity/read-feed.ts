import { readsPublicReposOnly, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Page } from '#kernel/page.ts'
import { type Contribution, countActivities, type Feed, type FeedPart, listActivities, listContributions, type Reader } from './feed-store.ts'
import { readPushes, takeEvents } from './follow-events.ts'
import type { Activity } from './schema.ts'
import { presentActivities } from './view.ts'

export const DAY = 86_400
/** A year, and the week that it begins in. */
const HEATMAP_SECONDS = (366 + 7) * DAY

interface FeedOptions extends FeedPart {
  page: Page
  /** Whose feed it is, where it is not its actors'. */
  receiverId?: number | undefined
  /** Whether the records include the comments. Pages do not need them. */
  hasComments?: boolean
}

/** One page of a feed, with all that was acknowledged before it was asked for. What is seen is decided when everything has been read. */
export async function readFeed(
  context: Context,
  viewer: Viewer,
  feed: Feed,
  { page, receiverId, hasComments = false, ...part }: FeedOptions,
): Promise<Activity[]> {
  const list = () => listActivities(context.db, readerOf(viewer), feed, page, part)
  await takeEvents(context)
  let rows = await list()
  if (await readPushes(context, rows)) rows = await list()
  return presentActivities(context, viewer, rows, { receiverId, hasComments })
}

/** How much a feed that has been read holds on all pages. */
export function countFeed({ db }: Pick<Context, 'db'>, viewer: Viewer, feed: Feed, part?: FeedPart): Promise<number> {
  return countActivities(db, readerOf(viewer), feed, part)
}

/** How much somebody did in each quarter of an hour of the last year. */
export async function readContributions(context: Pick<Context, 'db' | 'services' | 'clock'>, viewer: Viewer, personId: number): Promise<Contribution[]> {
  await takeEvents(context)
  return listContributions(context.db, readerOf(viewer), personId, context.clock.seconds() - HEATMAP_SECONDS)
}

function readerOf(viewer: Viewer): Reader {
  return { viewer, publicOnly: readsPublicReposOnly(viewer) }
}
