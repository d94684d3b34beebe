import type { Context } from '#context.ts'
import { clearReferences } from '#kernel/database/delete-row.ts'
import type { Tx } from '#kernel/db.ts'
import { Jobs } from '#kernel/jobs/jobs.ts'
import { silentLog } from '#kernel/log.ts'
import { Tasks } from '#kernel/tasks.ts'
import { slices } from '#slices.ts'

/** Stops tasks and jobs, as the server does when it stops. */
export async function stopBackground({ jobs, tasks }: Pick<Context, 'jobs' | 'tasks'>): Promise<void> {
  jobs.stop()
  await tasks.stop()
}

/** Resumes the jobs, as the next start does. Resolves when no job is due. */
export async function nextStart(context: Context): Promise<void> {
  const { clock, db } = context
  const tasks = new Tasks(silentLog, clock)
  const load = async (room: string) => (await slices.find(({ name }) => name === room)?.jobs?.()) ?? []
  const jobs: Jobs<Context> = new Jobs({ db, tasks, clock, log: silentLog }, () => ({ ...context, tasks, jobs }), load)
  await jobs.resume()
  await stopBackground({ jobs, tasks })
}

/** Adds the job that clears references to a deleted row, as if a crash had stopped it. */
export function noteGone(tx: Tx, table: string, id: number): void {
  tx.insert('job', { kind: clearReferences.kind, key: `${table}/${id}`, args: JSON.stringify({ table, id }), created_at: 1 })
}
