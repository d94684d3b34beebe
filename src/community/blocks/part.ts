import { listStarredAfter, removeStarsOf } from '#community/stars/index.ts'
import { listWatchedAfter, removeWatchesOf } from '#community/watches/index.ts'
import type { Context } from '#context.ts'
import { Backlog, fillSlice } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { deleteParting, findFirstParting, insertParting, setLookedTo } from './parting-store.ts'

/** Rows of each kind looked at in one transaction: a few milliseconds. */
const SLICE = 100
const ALL = Number.MAX_SAFE_INTEGER

/** Ends stars and watches of people who are kept apart from an owner. */
export class Partings extends Backlog {
  constructor(context: Pick<Context, 'db' | 'jobs'>) {
    super(context, 'end stars and watches of the blocked', (tx) => fillSlice(SLICE, () => partNext(tx)))
  }
}

/** Stars and watches that a person has of an owner's repositories end. */
export function letGo({ services }: Pick<Context, 'services'>, tx: Tx, userId: number, ownerId: number): void {
  insertParting(tx, { user_id: userId, owner_id: ownerId })
  services.get(Partings).begin(tx)
}

/** @returns about how much was looked at; undefined when nothing was left */
function partNext(tx: Tx): number | undefined {
  const parting = findFirstParting(tx)
  if (!parting) return undefined
  const { id, user_id: userId, owner_id: ownerId, looked_to: after } = parting
  const lists = [listStarredAfter, listWatchedAfter].map((list) => list(tx, userId, after, SLICE))
  const until = Math.min(...lists.map((ids) => ids[SLICE - 1] ?? ALL))
  for (const remove of [removeStarsOf, removeWatchesOf]) remove(tx, userId, ownerId, { after, until, parting: id })
  if (until === ALL) deleteParting(tx, id)
  else setLookedTo(tx, id, until)
  return 1 + Math.max(...lists.map((ids) => ids.length))
}
