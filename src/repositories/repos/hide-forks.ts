import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { forgetOutsiders } from './forget-outsiders.ts'
import { deleteHiding, findNextHiding, listForksAfter, setHiding } from './hiding-store.ts'
import { updateRepo } from './store.ts'

/** Forks hidden at a time: a few milliseconds. */
const SLICE = 50

/** Works through the list of repositories whose forks are to become private: whoever asks who sees what reads that list, too. */
export const hideForks = defineJob({
  kind: 'repos.hideForks',
  title: 'Make forks private with what they were made from',
  slice(tx, _: Record<string, never>, looked: number | undefined, { context }: { context: Pick<Context, 'jobs'> }) {
    const now = hideNext(context, tx)
    return now === undefined ? done : (looked ?? 0) + now
  },
})

/**
 * Those who no longer see a repository that has become private let go of it. What was made from it holds what it holds: its forks, and theirs,
 * become private with it. They may be very many, and are hidden by that already.
 */
export function hideWithForks({ jobs }: Pick<Context, 'jobs'>, tx: Tx, repoId: number): void {
  setHiding(tx, { id: repoId, looked_to: 0 })
  jobs.enqueue(tx, hideForks, {}, { key: 'all' })
}

/** @returns how many forks were looked at; undefined when there was nothing left to hide */
function hideNext(context: Pick<Context, 'jobs'>, tx: Tx): number | undefined {
  const hiding = findNextHiding(tx)
  if (!hiding) return undefined
  // Somebody may have changed their mind.
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
