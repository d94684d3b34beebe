import { accessTo, atLeast, type Member, type RepoAccess, type RepoRow, recheckAccount, refuseArchived } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { BadRequest, Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { findRef, mayPush, type ObjectWriting, writeObjects } from '#repositories/refs/index.ts'
import { repoUrl } from '#repositories/repos/index.ts'

/** A branch of a fork, and the one of what it was forked from that it follows. */
interface Ends {
  upstream: RepoAccess
  branch: string
  upstreamBranch: string
  fork: Oid
  base: Oid
}

export type MergeType = 'up-to-date' | 'fast-forward' | 'merge'

/**
 * Brings a branch of a fork up to the one of that name where it was forked from, or to the default one there: by moving it, or by a merge.
 * @throws BadRequest when it is no fork, and when only moving will do and does not; NotFound when either branch is not there, or the viewer
 * may not read what it was forked from; Conflict; Forbidden when a rule of the branch is against it
 */
export async function mergeUpstream(context: Context, viewer: Member, repo: RepoAccess, asked: { branch: string; ffOnly: boolean }): Promise<MergeType> {
  refuseArchived(repo)
  const ends = endsOf(context.db, viewer, repo.row, asked.branch, 'or the default one')
  const { fork, base } = ends
  const both = { id: repo.row.id, beside: ends.upstream.row.id }
  if (await context.git.run('isAncestor', both, { ancestor: base, commit: fork })) return 'up-to-date'
  const isForward = await context.git.run('isAncestor', both, { ancestor: fork, commit: base })
  if (!isForward && asked.ffOnly) throw new BadRequest('fast-forward merge not possible: branch has diverged')
  await writeObjects(context, repo.row.id, async (writing) => {
    await writing.bring(ends.upstream.row.id, [base])
    const tip = isForward ? base : await mergeIn(context, viewer, writing, ends)
    const coming = { actorId: viewer.user.id, updates: [{ name: HEADS + ends.branch, old: fork, new: tip, fastForward: true }] }
    await writing.landPrepared(coming, (tx, move) => {
      recheckAccount(tx, viewer.user)
      const now = accessTo(tx, viewer, repo.row.id)
      const source = accessTo(tx, viewer, ends.upstream.row.id)
      if (!now || !source || !atLeast(source.permission.of('code'), 'read')) throw new NotFound()
      refuseArchived(now)
      if (!mayPush(context, tx, viewer, now, { name: HEADS + ends.branch })) throw new Forbidden('You do not have permission to push to the branch.')
      const [result] = move({ ...coming, message: 'merge of the upstream branch' })
      if (result?.ok === false && result.isForbidden) throw new Forbidden(result.reason)
      if (!result?.ok) throw new Conflict(result?.reason ?? 'the branch has moved')
    })
  })
  return isForward ? 'fast-forward' : 'merge'
}

async function mergeIn(
  context: Pick<Context, 'clock' | 'rootUrl'>,
  viewer: Member,
  writing: ObjectWriting,
  { upstream, branch, upstreamBranch, fork, base }: Ends,
): Promise<Oid> {
  const who = gitIdentity(context, viewer.user)
  const message = `Merge branch '${upstreamBranch}' of ${repoUrl(context, upstream.owner, upstream.row)} into ${branch}`
  const merged = await writing.make('mergeBranch', { base: fork, head: base, style: 'merge', text: { author: who, committer: who, message } })
  if (merged.status !== 'done') throw new Conflict('merge failed because of conflict')
  return merged.commit
}

export interface SyncInfo {
  /** Whether the branch can be moved to that of its upstream, which has more. */
  allowed: boolean
  fork_commit: string
  base_commit: string
  commits_behind: number
}

/** How a fork's branch stands to the one of its name upstream. @throws as `mergeUpstream` */
export async function readSyncInfo(context: Pick<Context, 'db' | 'git'>, viewer: Member, repo: RepoAccess, branch: string): Promise<SyncInfo> {
  const { fork, base, upstream } = endsOf(context.db, viewer, repo.row, branch, 'alone')
  const both = { id: repo.row.id, beside: upstream.row.id }
  const count = (include: Oid, exclude: Oid) => context.git.run('countCommits', both, { range: { include: [include], exclude: [exclude] } })
  const [behind, ahead] = [await count(base, fork), await count(fork, base)]
  return { allowed: ahead === 0 && behind > 0, fork_commit: fork, base_commit: base, commits_behind: behind }
}

function endsOf(db: Db, viewer: Member, repo: RepoRow, branch: string, which: 'or the default one' | 'alone'): Ends {
  if (repo.fork_of === null) throw new BadRequest('repo is not a fork')
  const upstream = accessTo(db, viewer, repo.fork_of)
  if (!upstream || !atLeast(upstream.permission.of('code'), 'read')) throw new NotFound()
  const tip = (repoId: number, name: string) => findRef(db, repoId, HEADS + name)?.oid
  const fork = tip(repo.id, branch)
  const named = tip(upstream.row.id, branch)
  const upstreamBranch = named !== undefined || which === 'alone' ? branch : upstream.row.default_branch
  const base = named ?? (which === 'alone' ? undefined : tip(upstream.row.id, upstreamBranch))
  if (fork === undefined || base === undefined) throw new NotFound(`branch does not exist [repo_id: ${repo.id} name: ${branch.slice(0, 200)}]`)
  return { upstream, branch, upstreamBranch, fork, base }
}
