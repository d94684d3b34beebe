import { accessStore, anonymous, canSee, permissionIn, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Backlog } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { deleteNarrowed, findFirstNarrowed, type NarrowedRepo, setNarrowed } from './outsiders-store.ts'

/** People looked at in one transaction, of each kind of interest: a few milliseconds. */
const SLICE = 100
const EVERYBODY = Number.MAX_SAFE_INTEGER

/** Looks at everybody who stars or watches a repository that fewer see. */
export class Outsiders extends Backlog {
  constructor(context: Pick<Context, 'db' | 'interests' | 'jobs'>) {
    super(context, 'forget who no longer sees a repository', (tx) => forgetNext(context, tx))
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

function forgetNext(context: Pick<Context, 'interests'>, tx: Tx): boolean {
  const narrowed = findFirstNarrowed(tx)
  if (narrowed) forgetSome(context, tx, narrowed)
  return findFirstNarrowed(tx) !== undefined
}

function forgetSome({ interests }: Pick<Context, 'interests'>, tx: Tx, { id, looked_to }: NarrowedRepo): void {
  const repo = accessStore.findRepoById(tx, id)
  if (!repo) return deleteNarrowed(tx, id)
  const kinds = Object.values(interests).map((interest) => ({ interest, holders: interest.listHolders(tx, id, looked_to, SLICE) }))
  const until = Math.min(...kinds.map(({ holders }) => holders[SLICE - 1] ?? EVERYBODY))
  for (const { interest, holders } of kinds) {
    for (const userId of holders) if (userId <= until && !isSeenBy(tx, userId, repo)) interest.drop(tx, userId, id)
  }
  if (until === EVERYBODY) deleteNarrowed(tx, id)
  else setNarrowed(tx, { id, looked_to: until })
}

function isSeenBy(tx: Tx, userId: number, repo: RepoRow): boolean {
  const [user, owner] = [accessStore.findUserById(tx, userId), accessStore.findUserById(tx, repo.owner_id)]
  return !user || !owner || canSee(permissionIn(tx, { ...anonymous, user }, repo, owner))
}
