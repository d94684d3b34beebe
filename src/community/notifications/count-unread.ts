import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { unreadOf } from './find-notifications.ts'
import { takeEvents } from './follow-events.ts'
import { countNotifications } from './store.ts'

/** How much is new to somebody, with all that happened before it was asked. */
export async function countUnread(context: Context, viewer: Member): Promise<number> {
  await takeEvents(context)
  return countNotifications(context.db, unreadOf(viewer))
}
