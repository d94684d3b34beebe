import type { Context } from '#context.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import type { Tx } from '#kernel/db.ts'
import { scheduleDerived } from './derived.ts'
import { bumpState, copyBranchesAndTags, copyRefsUnder, getState, touchRepo } from './store.ts'

/** Rows copied in one transaction. */
const SLICE = 500

/** Branches and tags that were copied for a repository that is not there yet. */
export interface CopiedRefs {
  /** Of the refs they were copied from. */
  version: number
  branches: number
}

/**
 * Writes the branches and tags of another ahead, a few at a time, for a repository that is about to be made: nobody sees them before it is.
 * They are worth something as long as the other's refs have the version that is answered.
 */
export async function copyRefsAhead(context: Pick<Context, 'db'>, fromId: number, toId: number): Promise<CopiedRefs> {
  const { version } = getState(context.db, fromId)
  const branches = await copyUnder(context, fromId, toId, HEADS)
  await copyUnder(context, fromId, toId, TAGS)
  return { version, branches }
}

async function copyUnder({ db }: Pick<Context, 'db'>, fromId: number, toId: number, prefix: string): Promise<number> {
  let count = 0
  for (let after = prefix; ; ) {
    const from = after
    const { copied, last } = db.provisional((tx) => copyRefsUnder(tx, fromId, toId, { prefix, after: from, limit: SLICE }))
    count += copied
    if (copied < SLICE) return count
    after = last
    await db.rest()
  }
}

/**
 * Gives a new repository, which has all their objects, the branches and tags of another, whatever their number, if they were not `copied`
 * ahead. No event: it begins with them.
 */
export function copyRefs(context: Context, tx: Tx, fromId: number, toId: number, copied?: CopiedRefs): void {
  showRefs(context, tx, toId, copied?.branches ?? copyBranchesAndTags(tx, fromId, toId))
}

/** What follows where a repository begins with refs, so many of them branches, that reach all it has. */
export function showRefs(context: Context, tx: Tx, repoId: number, branches: number): void {
  bumpState(tx, repoId, [])
  touchRepo(tx, repoId, branches, context.clock.seconds())
  tx.onCommit(() => scheduleDerived(context, repoId))
}
