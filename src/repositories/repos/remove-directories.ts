import { wikiIdOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import { breathe } from '#kernel/breathe.ts'
import { clearRefs } from '#repositories/refs/index.ts'
import { forgetRemoved, listRemoved } from './store.ts'

/** Numbers of repositories that this process is making: what is written for them already stays. */
export class ComingRepos {
  readonly ids = new Set<number>()
}

class Removal {
  /** One at a time: hundreds at once would leave the disk to nothing else. */
  underWay: Promise<void> | undefined
}

/**
 * Removes the directories of deleted repositories, and their refs, in the background. Resolves when none is left, but those that
 * could not be removed now, or when the server stops: the next sweep goes on with them.
 */
export function removeDirectories(context: Context): Promise<void> {
  const removal = context.services.get(Removal)
  removal.underWay ??= context.tasks.start('remove directories', () => removeAll(context))
  return removal.underWay
}

async function removeAll(context: Context): Promise<void> {
  await breathe()
  const failed = new Set<number>()
  const waiting = () => listRemoved(context.db).filter((id) => !failed.has(id))
  try {
    for (let ids = waiting(); ids.length > 0; ids = waiting()) {
      for (const id of ids) {
        if (context.tasks.isStopping) return
        if (!(await removeDirectory(context, id))) failed.add(id)
      }
    }
  } finally {
    context.services.get(Removal).underWay = undefined
  }
}

/** What is left of its refs goes first: the list that a restart goes on with ends with the directory. @returns whether it is gone */
async function removeDirectory(context: Pick<Context, 'db' | 'git' | 'tasks' | 'log' | 'services'>, repoId: number): Promise<boolean> {
  try {
    for (const id of [repoId, wikiIdOf(repoId)]) {
      if (!(await clearRefs(context, id))) return false
      await context.git.remove(id)
    }
    context.db.provisional((tx) => forgetRemoved(tx, repoId))
    return true
  } catch (error) {
    context.log.error('cannot remove the files of a deleted repository', error, { repo: repoId })
    return false
  }
}

/** What no row knows goes when it is empty, and is kept out of the way when it is not: the database may be older than it is. */
export function setAside(context: Pick<Context, 'clock' | 'git' | 'log'>, id: number): void {
  const path = context.git.setAside(id, context.clock.seconds())
  if (path !== undefined) context.log.warn('moved aside a directory with objects that belongs to no repository', { path })
}
