import type { Context } from '#context.ts'
import { parseSchedule } from '#kernel/schedule.ts'
import { listSourceRows } from './store.ts'

const TASK = 'sync_external_users'

/** Looks people up in their directories now and then, as the settings say; what does it is loaded then. */
export async function startSync(context: Context): Promise<void> {
  tellOfLostKeys(context)
  const { ENABLED, RUN_AT_START, SCHEDULE } = context.config['cron.sync_external_users']
  const seconds = ENABLED ? parseSchedule(SCHEDULE) : 0
  context.tasks.every(seconds, TASK, async () => (await import('./synchronize.ts')).synchronize(context))
  if (ENABLED && RUN_AT_START) context.tasks.runTask(TASK)
}

function tellOfLostKeys({ db, secrets, log }: Pick<Context, 'db' | 'secrets' | 'log'>): void {
  for (const { name, config } of listSourceRows(db)) {
    if (!secrets.holdsKeyOf(config)) log.error(`cannot decrypt the configuration of authentication source "${name}": its key is not in ${secrets.path}`)
  }
}
