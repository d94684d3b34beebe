import type { Context } from '#context.ts'
import { clearReferring } from '#kernel/database/delete-row.ts'
import type { Tx } from '#kernel/db.ts'
import { Jobs } from '#kernel/jobs/jobs.ts'
import { silentLog } from '#kernel/log.ts'
import { Tasks } from '#kernel/tasks.ts'
import { slices } from '#slices.ts'

/** Stops what works in the background, as a server does that stops. */
export async function stopBackground({ jobs, tasks }: Pick<Context, 'jobs' | 'tasks'>): Promise<void> {
  jobs.stop()
  await tasks.stop()
}

/** Goes on with what was left then, as the next start does; resolves when nothing is left. */
export async function nextStart(context: Context): Promise<void> {
  const { clock, db } = context
  const tasks = new Tasks(silentLog, clock)
  const load = async (room: string) => (await slices.find(({ name }) => name === room)?.jobs?.()) ?? []
  const jobs: Jobs<Context> = new Jobs({ db, tasks, clock, log: silentLog }, () => ({ ...context, tasks, jobs }), load)
  await jobs.start()
  await stopBackground({ jobs, tasks })
}

/** What a crash leaves of a row that is gone: the job that was to clear away what refers to it. */
export function noteGone(tx: Tx, table: string, id: number): void {
  tx.insert('job', { kind: clearReferring.kind, key: `${table}/${id}`, args: JSON.stringify({ table, id }), created_at: 1 })
}
