import { Interests } from '#access/hooks.ts'
import { accessStore, isSeenBy } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Backlog, fillSlice } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { deleteLeaver, findFirstLeaver, setLeaver } from './leavers-store.ts'

/** Repositories looked at in one transaction: a few milliseconds. */
const SLICE = 100

/** Looks at what people watch who lost access to some of it. */
export class Leavers extends Backlog {
  constructor(context: Pick<Context, 'db' | 'services' | 'tasks'>) {
    super(context, 'end watches of who left', (tx) => fillSlice(SLICE, () => forgetNext(context, tx)))
  }
}

/**
 * A person watches no repository of an owner's that they no longer see: they would be listed there, and watch it again whenever they are let in
 * again. Stars stay, as in Gitea.
 */
export function forgetLeaver({ services }: Pick<Context, 'services'>, tx: Tx, userId: number, ownerId: number): void {
  setLeaver(tx, { user_id: userId, owner_id: ownerId, looked_to: 0 })
  services.get(Leavers).begin(tx)
}

/** @returns about how many repositories were looked at; undefined when nobody was left */
function forgetNext({ services }: Pick<Context, 'services'>, tx: Tx): number | undefined {
  const leaver = findFirstLeaver(tx)
  if (!leaver) return undefined
  const { user_id: userId, owner_id: ownerId, looked_to } = leaver
  const { watching } = services.get(Interests)
  const ids = watching.listHeld(tx, userId, looked_to, SLICE)
  for (const id of ids) {
    const repo = accessStore.findRepoById(tx, id)
    if (repo?.owner_id === ownerId && !isSeenBy(tx, userId, repo)) watching.drop(tx, userId, id)
  }
  const last = ids[SLICE - 1]
  if (last === undefined) deleteLeaver(tx, leaver)
  else setLeaver(tx, { ...leaver, looked_to: last })
  return 1 + ids.length
}
