import { Interests } from '#access/hooks.ts'
import { accessStore, isSeenBy } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Backlog, fillSlice } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { deleteNarrowed, findFirstNarrowed, setNarrowed } from './outsiders-store.ts'

/** People looked at in one transaction, of each kind of interest: a few milliseconds. */
const SLICE = 100
const EVERYBODY = Number.MAX_SAFE_INTEGER

/** Looks at everybody who stars or watches a repository that fewer see. */
export class Outsiders extends Backlog {
  constructor(context: Pick<Context, 'db' | 'services' | 'tasks'>) {
    super(context, 'forget who no longer sees a repository', (tx) => fillSlice(SLICE, () => forgetNext(context, tx)))
  }
}

/**
 * Stars and watches of people who no longer see the repository end: what they would be told of it is not for them. They may be very many, and
 * whoever lists or tells something asks who may read it anyway.
 */
export function forgetOutsiders({ services }: Pick<Context, 'services'>, tx: Tx, repoId: number): void {
  setNarrowed(tx, { id: repoId, looked_to: 0 })
  services.get(Outsiders).begin(tx)
}

/** @returns about how many people were looked at; undefined when no repository was left */
function forgetNext({ services }: Pick<Context, 'services'>, tx: Tx): number | undefined {
  const narrowed = findFirstNarrowed(tx)
  if (!narrowed) return undefined
  const { id, looked_to } = narrowed
  const repo = accessStore.findRepoById(tx, id)
  const kinds = services.get(Interests).all.map((interest) => ({ interest, holders: repo ? interest.listHolders(tx, id, looked_to, SLICE) : [] }))
  const until = Math.min(...kinds.map(({ holders }) => holders[SLICE - 1] ?? EVERYBODY))
  for (const { interest, holders } of kinds) {
    for (const userId of holders) if (userId <= until && repo && !isSeenBy(tx, userId, repo)) interest.drop(tx, userId, id)
  }
  if (until === EVERYBODY) deleteNarrowed(tx, id)
  else setNarrowed(tx, { id, looked_to: until })
  return 1 + Math.max(...kinds.map(({ holders }) => holders.length))
}
