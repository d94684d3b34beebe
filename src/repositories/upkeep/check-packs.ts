import { findStoreById } from '#access/index.ts'
import type { Context } from '#context.ts'
import { temporaryIn } from '#repositories/refs/index.ts'
import { checkedAt, noteCheck } from './store.ts'

const DAY_SECONDS = 86_400

type Checked = Pick<Context, 'clock' | 'config' | 'db' | 'git' | 'log'>

/** Whether the packs of a store have to be read from end to end again: a disk changes what nobody looks at, and clones are given packs as they lie. */
export function isCheckDue({ clock, config, db }: Pick<Checked, 'clock' | 'config' | 'db'>, storeId: number): boolean {
  const { CHECK_DAYS } = config.git
  return CHECK_DAYS > 0 && checkedAt(db, storeId) <= clock.seconds() - CHECK_DAYS * DAY_SECONDS
}

/** So long after it was read, a store is not read again, whatever it lacks. */
const AGAIN_SECONDS = 3600

class UnderWay {
  readonly ids = new Set<number>()
}

/** Checks a repository in which something is lost, and its wiki: an index can be made anew, and what cannot is told. */
export function checkSoon(context: Checked & Pick<Context, 'tasks' | 'services'>, repoId: number): void {
  const { ids } = context.services.get(UnderWay)
  const since = context.clock.seconds() - AGAIN_SECONDS
  for (const id of [repoId, -repoId]) {
    if (context.config.git.CHECK_DAYS === 0 || ids.has(id) || !findStoreById(context.db, id) || checkedAt(context.db, id) > since) continue
    ids.add(id)
    void context.tasks.start('check packs', () => checkPacks(context, id)).finally(() => ids.delete(id))
  }
}

/**
 * Reads the packs of a store from end to end. What is wrong is logged, and shown where the administration begins; an index that is damaged is made anew.
 * What cannot be read at all is told in the same way.
 */
export async function checkPacks({ clock, db, git, log }: Checked, storeId: number): Promise<void> {
  const faults: string[] = []
  try {
    const summed = await git.run('sumPacks', storeId, { temporary: temporaryIn(git.pathOf(storeId)) })
    for (const pack of summed.mended) log.warn('rebuilt a damaged pack index', { repo: storeId, pack })
    faults.push(...summed.faults)
  } catch (error) {
    faults.push((error as Error).message)
  }
  if (!findStoreById(db, storeId)) return
  for (const fault of faults)
    log.error('a pack is damaged: run `pocketforge doctor` to list the lost objects, and restore them from a backup or a clone', fault, { repo: storeId })
  db.provisional((tx) => noteCheck(tx, storeId, clock.seconds(), faults))
}
