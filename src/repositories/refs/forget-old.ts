import type { Context } from '#context.ts'
import { forgetReflog } from './store.ts'

const DAY = 86_400
const AT_ONCE = 1000

/** Forgets day by day what the settings no longer keep: where refs pointed long ago, and events that everybody has read. */
export function startForgetting(context: Context): void {
  context.tasks.every(DAY, 'delete_old_records', () => forgetOld(context))
  context.tasks.later(60_000, 'delete_old_records', () => forgetOld(context))
}

export async function forgetOld({ clock, config, db, events, tasks }: Context): Promise<void> {
  const daysAgo = (days: number) => clock.seconds() - days * DAY
  while (!tasks.isStopping && events.forgetBefore(daysAgo(config.events.KEEP_DAYS))) await db.rest()
  const forget = () => db.provisional((tx) => forgetReflog(tx, daysAgo(config['git.reflog'].EXPIRATION), AT_ONCE))
  while (!tasks.isStopping && forget() === AT_ONCE) await db.rest()
}
