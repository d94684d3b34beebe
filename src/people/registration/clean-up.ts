import type { Context } from '#context.ts'
import { userStore } from '#people/users/index.ts'
import { listForgotten } from './store.ts'

/** How long an account waits for whoever registered it, in seconds. */
const PATIENCE = 7 * 86_400
/** In one transaction. */
const BATCH = 100

/** Removes accounts whose address was never confirmed; their names are free again. */
export async function deleteForgotten({ clock, db, log }: Pick<Context, 'clock' | 'db' | 'log'>): Promise<void> {
  let removed = 0
  for (let ids = [0]; ids.length > 0; ) {
    ids = db.tx((tx) => {
      const batch = listForgotten(tx, clock.seconds() - PATIENCE, BATCH)
      for (const id of batch) userStore.removeUser(tx, id)
      return batch
    })
    removed += ids.length
    await Bun.sleep(0)
  }
  if (removed > 0) log.info('deleted accounts that were never activated', { accounts: removed })
}
