import { findStoreById } from '#access/index.ts'
import type { Context } from '#context.ts'
import { messageOf } from '#kernel/errors.ts'
import { listUntimed, type RefRow, setTime } from './store.ts'

/** Rows done at once. */
const SLICE = 250

/** Looks up the dates of branches that were stored before dates were, a few at a time. Those that cannot be read are left for the next start. */
export async function fillTimes(context: Context): Promise<void> {
  let last: Pick<RefRow, 'repo_id' | 'name'> = { repo_id: 0, name: '' }
  while (!context.tasks.isStopping) {
    const rows = listUntimed(context.db, last, SLICE)
    const next = rows.at(-1)
    if (next === undefined) return
    for (const [repoId, refs] of Map.groupBy(rows, (row) => row.repo_id)) await fillSlice(context, repoId, refs)
    last = next
  }
}

async function fillSlice(
  context: Pick<Context, 'db' | 'git' | 'log'>,
  repoId: number,
  refs: readonly Pick<RefRow, 'repo_id' | 'name' | 'oid'>[],
): Promise<void> {
  try {
    const times = await context.git.run('commitTimes', repoId, { oids: refs.map(({ oid }) => oid) })
    context.db.provisional((tx) => {
      for (const [i, ref] of refs.entries()) {
        const time = times[i]
        if (time !== undefined) setTime(tx, ref, time)
      }
    })
  } catch (error) {
    if (findStoreById(context.db, repoId)) context.log.warn('cannot read branch dates', { repo: repoId, error: messageOf(error) })
  }
}
