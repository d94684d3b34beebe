import { accessStore, anonymous, canSee, permissionIn, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { deleteNarrowed, findFirstNarrowed, type NarrowedRepo, setNarrowed } from './outsiders-store.ts'

/** People looked at in one transaction, of each kind of interest: a few milliseconds. */
const SLICE = 100
const EVERYBODY = Number.MAX_SAFE_INTEGER

type Forgetting = Pick<Context, 'db' | 'interests' | 'jobs' | 'services'>

class Underway {
  work: Promise<void> | undefined
}

/**
 * Stars and watches of people who no longer see the repository end: what they would be told of it is not for them. The first do at once, the
 * others, who may be very many, in the background: whoever lists or tells something asks who may read it anyway.
 */
export function forgetOutsiders(context: Forgetting, tx: Tx, repoId: number): void {
  if (!forgetSome(context, tx, { id: repoId, looked_to: 0 })) tx.onCommit(() => void forgetAllOutsiders(context))
}

/** Resolves when nobody is left to be looked at, or when the server stops: the next start goes on with them. */
export function forgetAllOutsiders(context: Forgetting): Promise<void> {
  const underway = context.services.get(Underway)
  underway.work ??= context.jobs.start('forget who no longer sees a repository', () => forgetAll(context))
  return underway.work
}

async function forgetAll(context: Forgetting): Promise<void> {
  const { db, jobs } = context
  const next = (tx: Tx) => {
    const narrowed = findFirstNarrowed(tx)
    if (narrowed) forgetSome(context, tx, narrowed)
  }
  try {
    for (await db.rest(); findFirstNarrowed(db) && !jobs.isStopping; await db.rest()) db.provisional(next)
  } finally {
    context.services.get(Underway).work = undefined
  }
}

/** @returns whether all have been looked at */
function forgetSome({ interests }: Forgetting, tx: Tx, { id, looked_to }: NarrowedRepo): boolean {
  const repo = accessStore.findRepoById(tx, id)
  if (!repo) return done(tx, id)
  const kinds = Object.values(interests).map((interest) => ({ interest, holders: interest.listHolders(tx, id, looked_to, SLICE) }))
  const until = Math.min(...kinds.map(({ holders }) => holders[SLICE - 1] ?? EVERYBODY))
  for (const { interest, holders } of kinds) {
    for (const userId of holders) if (userId <= until && !isSeenBy(tx, userId, repo)) interest.drop(tx, userId, id)
  }
  if (until === EVERYBODY) return done(tx, id)
  setNarrowed(tx, { id, looked_to: until })
  return false
}

function done(tx: Tx, id: number): true {
  deleteNarrowed(tx, id)
  return true
}

function isSeenBy(tx: Tx, userId: number, repo: RepoRow): boolean {
  const [user, owner] = [accessStore.findUserById(tx, userId), accessStore.findUserById(tx, repo.owner_id)]
  return !user || !owner || canSee(permissionIn(tx, { ...anonymous, user }, repo, owner))
}
