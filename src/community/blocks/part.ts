import { Interests } from '#access/hooks.ts'
import type { Context } from '#context.ts'
import { Backlog, fillSlice } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { deleteParting, findFirstParting, insertParting, setLookedTo } from './parting-store.ts'

/** Rows of each kind looked at in one transaction: a few milliseconds. */
const SLICE = 100
const ALL = Number.MAX_SAFE_INTEGER

/** Ends stars and watches of people who are kept apart from an owner. */
export class Partings extends Backlog {
  constructor(context: Pick<Context, 'db' | 'services' | 'tasks'>) {
    super(context, 'end stars and watches of the blocked', (tx) => fillSlice(SLICE, () => partNext(context, tx)))
  }
}

/** Stars and watches that a person has of an owner's repositories end. */
export function letGo({ services }: Pick<Context, 'services'>, tx: Tx, userId: number, ownerId: number): void {
  insertParting(tx, { user_id: userId, owner_id: ownerId })
  services.get(Partings).begin(tx)
}

/** @returns about how much was looked at; undefined when nothing was left */
function partNext({ services }: Pick<Context, 'services'>, tx: Tx): number | undefined {
  const parting = findFirstParting(tx)
  if (!parting) return undefined
  const { id, user_id: userId, owner_id: ownerId, looked_to: after } = parting
  const kinds = services.get(Interests).all
  const lists = kinds.map((kind) => kind.listHeld(tx, userId, after, SLICE))
  const until = Math.min(...lists.map((ids) => ids[SLICE - 1] ?? ALL))
  for (const kind of kinds) kind.dropOf(tx, userId, ownerId, { after, until, parting: id })
  if (until === ALL) deleteParting(tx, id)
  else setLookedTo(tx, id, until)
  return 1 + Math.max(...lists.map((ids) => ids.length))
}
