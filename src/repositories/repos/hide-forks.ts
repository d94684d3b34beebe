import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { forgetOutsiders } from './forget-outsiders.ts'
import { deleteHiding, findNextHiding, listForksAfter, setHiding } from './hiding-store.ts'
import { updateRepo } from './store.ts'

/** Forks that one step makes private. */
const SLICE = 50

/** Processes the table `hiding_repository`, which permission checks read, too. The cursor is the number of forks that were checked. */
export const hideForks = defineJob({
  kind: 'repos.hideForks',
  title: 'Make forks of private repositories private',
  step(tx, _: Record<string, never>, looked: number | undefined, { context }: { context: Pick<Context, 'jobs'> }) {
    const now = hideNext(context, tx)
    return now === undefined ? done : (looked ?? 0) + now
  },
})

/**
 * Makes the forks of a repository private, and their forks, because the repository has become private and they contain its content. Permission
 * checks treat them as private from the moment that this transaction commits. Also removes stars and watches of users who lost access.
 */
export function hideWithForks({ jobs }: Pick<Context, 'jobs'>, tx: Tx, repoId: number): void {
  setHiding(tx, { id: repoId, looked_to: 0 })
  jobs.enqueue(tx, hideForks, {}, { key: 'all' })
}

/** @returns how many forks were checked; undefined if the table is empty */
function hideNext(context: Pick<Context, 'jobs'>, tx: Tx): number | undefined {
  const hiding = findNextHiding(tx)
  if (!hiding) return undefined
  // The repository may be public again.
  const isPublic = accessStore.findRepoById(tx, hiding.id)?.is_private === 0
  const forks = isPublic ? [] : listForksAfter(tx, hiding, SLICE)
  for (const fork of forks.filter(({ is_private }) => is_private === 0)) {
    updateRepo(tx, fork, { is_private: 1 })
    setHiding(tx, { id: fork.id, looked_to: 0 })
  }
  if (hiding.looked_to === 0) forgetOutsiders(context, tx, hiding.id)
  const last = forks[SLICE - 1]
  if (last) setHiding(tx, { id: hiding.id, looked_to: last.id })
  else deleteHiding(tx, hiding.id)
  return forks.length
}
