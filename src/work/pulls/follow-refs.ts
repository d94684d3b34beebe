import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import { type Acting, joinActing, readActing, writeActing } from '#kernel/acting.ts'
import type { Tx } from '#kernel/db.ts'
import type { GuardedRepo, RefChange, RefMove } from '#repositories/refs/index.ts'
import { announce, type By, closeFromOutside, followDeletion } from './end-branch.ts'
import { insertPush } from './push-store.ts'
import { headRef, mergeRef, versionRef } from './refs.ts'
import { finishRenames, followRename } from './rename-branch.ts'
import { insertMoveEntry, listMergeRefs, listOpenBranches, listOpenFrom, type OpenPull, touchPull, updatePull } from './store.ts'
import { deleteVersion, listSurplusVersions, putVersion } from './version-store.ts'

interface Move extends By {
  context: Context
  /** The accounts whose rights commit messages use in other repositories. */
  acting: readonly Acting[] | undefined
  repo: GuardedRepo
}

/** A ref of the server's own that moves along. */
interface Own {
  name: string
  new: Oid
  /** Nothing becomes unreachable by it. */
  fastForward?: boolean
}

/** Pull requests go where their branches go, in the transaction that moves them: a `RefGuard`, loaded with every start, so it takes little along. */
export const pullsFollowRefs = {
  followed: (tx: Tx, { id }: { id: number }): ReadonlySet<string> => new Set(listOpenBranches(tx, id).map((branch) => HEADS + branch)),

  follow(context: Context, tx: Tx, repo: Move['repo'], changes: readonly RefChange[], { actorId, acting, rename, mergedInto }: RefMove): Own[] {
    if (rename || changes.some(({ name }) => name.startsWith(HEADS))) finishRenames(tx, repo.id)
    if (rename) {
      followRename(context, tx, repo.id, rename.from.slice(HEADS.length), rename.to.slice(HEADS.length))
      return []
    }
    const move = { context, repo, actorId, acting, at: context.clock.seconds() }
    const branches = changes.filter(({ name, before, after }) => name.startsWith(HEADS) && before !== after)
    return branches.flatMap((change) => [
      ...dropMerges(tx, listMergeRefs(tx, repo.id, change.name.slice(HEADS.length))),
      ...(change.after === SHA1.zero ? leaveBranch(tx, move, change, mergedInto) : followPush(tx, move, change)),
    ])
  },

  /** What comes from a repository that goes is closed; it can be read as before. */
  leave(context: Context, tx: Tx, repo: { id: number }, actorId: number): void {
    closeFromOutside(tx, { context, actorId, at: context.clock.seconds() }, repo.id)
  },
}

function leaveBranch(tx: Tx, move: Move, { name }: RefChange, mergedInto?: string): Own[] {
  followDeletion(tx, move, move.repo, name.slice(HEADS.length), mergedInto)
  return []
}

function followPush(tx: Tx, move: Move, { name, before, after, forced }: RefChange): Own[] {
  return listOpenFrom(tx, move.repo.id, name.slice(HEADS.length)).flatMap((pull) => {
    if (pull.repo_id === move.repo.id) return moveHead(tx, move, pull, { before: before as Oid, after: after as Oid, forced })
    // Its objects must be brought there first, which takes its time: see take-pushes.ts.
    const acting = writeActing(move.acting)
    insertPush(tx, { issue_id: pull.issue_id, head_oid: after as Oid, actor_id: move.actorId, created_at: move.at, acting })
    return []
  })
}

/** A pull request has a new head, whose objects are there. @returns the refs that move with it */
export function moveHead(tx: Tx, by: Omit<Move, 'repo'>, pull: OpenPull, { before, after, forced }: { before: Oid; after: Oid; forced: boolean }): Own[] {
  updatePull(tx, pull.issue_id, { head_oid: after, acting: writeActing(joinActing(readActing(pull.acting), by.acting)) })
  touchPull(tx, pull.issue_id, by.at)
  const body = JSON.stringify({ is_force_push: forced, commit_ids: forced ? [before, after] : [after] })
  insertMoveEntry(tx, pull, { type: 'pull_push', poster_id: by.actorId, at: by.at, body })
  announce(tx, by, pull, 'synchronized')
  const versions = forced ? keepVersion(tx, by.context, pull, before) : []
  const merges = pull.has_merge_ref === 1 ? dropMerges(tx, [pull]) : []
  return [{ name: headRef(pull.number), new: after, fastForward: true }, ...versions, ...merges]
}

/** What a forced push leaves behind was looked at: reviews stand beside its lines. The oldest goes where only some are kept, unless it was reviewed. */
function keepVersion(tx: Tx, { config }: Context, { issue_id: id, number }: OpenPull, oid: Oid): Own[] {
  putVersion(tx, id, oid)
  const kept = config['repository.pull-request'].KEPT_VERSIONS
  const surplus = kept === 0 ? [] : listSurplusVersions(tx, id, kept)
  for (const one of surplus) deleteVersion(tx, id, one)
  const gone = surplus.map((one) => ({ name: versionRef(number, one), new: SHA1.zero }))
  return [{ name: versionRef(number, oid), new: oid, fastForward: true }, ...gone]
}

/** What merging them would come to is no longer what it was: it goes, and is made anew when somebody fetches it. */
export function dropMerges(tx: Tx, pulls: readonly { issue_id: number; number: number }[]): Own[] {
  for (const { issue_id: id } of pulls) updatePull(tx, id, { has_merge_ref: 0 })
  return pulls.map(({ number }) => ({ name: mergeRef(number), new: SHA1.zero }))
}
