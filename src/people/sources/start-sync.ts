import type { Context } from '#context.ts'
import { parseSchedule } from '#kernel/schedule.ts'

const TASK = 'sync_external_users'

/** Looks people up in their directories now and then, as the settings say; what does it is loaded then. */
export async function startSync(context: Context): Promise<void> {
  const { ENABLED, RUN_AT_START, SCHEDULE } = context.config['cron.sync_external_users']
  const seconds = ENABLED ? parseSchedule(SCHEDULE) : 0
  context.jobs.every(seconds, TASK, async () => (await import('./synchronize.ts')).synchronize(context))
  if (ENABLED && RUN_AT_START) context.jobs.runTask(TASK)
}
