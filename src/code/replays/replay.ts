import { accessTo, type Member, type RepoAccess, recheckAccount } from '#access/index.ts'
import { refuseEditing } from '#code/contents/index.ts'
import { refuseEdits } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import type { Picked } from '#git/merge/replay.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { branchRef, HEADS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import { findRef, mayPush, type ObjectWriting, writeObjects } from '#repositories/refs/index.ts'

export interface ReplayTarget {
  /** The branch that the commit goes on top of. */
  branch: string
  /** One that is made for it; absent: the branch itself moves. */
  newBranch?: string | undefined
  /** What was done, for the reflog. */
  message: string
}

/** Paths in conflict that are named. */
const MAX_NAMED = 10

/**
 * Puts a commit that `make` makes out of others on top of a branch, or onto a new one, judged as a push of it would be.
 * @throws NotFound when there is no such branch; Conflict when what it changes has changed there since, when nothing would change, when the branch
 *   moved meanwhile or the new one is there; Forbidden for who may not push to it; Locked in archived repositories and mirrors
 */
export async function replay(
  context: Context,
  viewer: Member,
  repo: RepoAccess,
  { branch, newBranch, message }: ReplayTarget,
  make: (writing: ObjectWriting, onto: Oid) => Promise<Picked>,
): Promise<Oid> {
  const name = branchRef(newBranch ?? branch)
  refuseEditing(repo)
  requirePush(context, context.db, viewer, repo, name)
  return writeObjects(context, repo.row.id, async (writing) => {
    const onto = findRef(context.db, repo.row.id, branchRef(branch))?.oid
    if (onto === undefined) throw new NotFound(`Branch “${branch}” does not exist.`)
    if (newBranch === undefined) refuseEdits(context.db, repo, viewer.user, branch, undefined)
    const commit = madeOf(await make(writing, onto), branch)
    const update = { name, old: newBranch === undefined ? onto : SHA1.zero, new: commit, fastForward: true }
    const coming = { actorId: viewer.user.id, updates: [update] }
    await writing.landPrepared(coming, (tx, move) => {
      recheckAccount(tx, viewer.user)
      const now = accessTo(tx, viewer, repo.row.id)
      if (!now) throw new NotFound()
      requirePush(context, tx, viewer, now, name)
      refuseEditing(now)
      if (newBranch !== undefined && findRef(tx, repo.row.id, name)) throw new Conflict(`Branch “${newBranch}” already exists. Choose another name.`)
      const [moved] = move({ ...coming, message })
      if (moved?.ok) return
      const reason = moved?.reason ?? ''
      if (moved?.isForbidden) throw new Forbidden(reason)
      throw new Conflict(
        newBranch === undefined ? `Branch “${branch}” was updated at the same time. Try again. (${reason})` : `Cannot create branch “${newBranch}”: ${reason}`,
      )
    })
    return commit
  })
}

/** @throws Forbidden */
function requirePush(context: Pick<Context, 'services'>, db: Db, viewer: Member, repo: RepoAccess, name: string): void {
  if (!mayPush(context, db, viewer, repo, { name })) throw new Forbidden(`You do not have permission to push to branch “${name.slice(HEADS.length)}”.`)
}

/** @throws Conflict */
function madeOf(picked: Picked, branch: string): Oid {
  if (picked.status === 'done') return picked.commit
  if (picked.status === 'empty') throw new Conflict(`Nothing to commit: the commit would not change branch “${branch}”.`)
  const paths = picked.conflicts.map(({ path }) => path)
  const named = paths.slice(0, MAX_NAMED).join(', ')
  const rest = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  throw new Conflict(`Cannot apply the commit: it conflicts with branch “${branch}” in ${named}${rest}. Resolve the conflicts on your computer, then push.`)
}
