import { accessTo, actingAlone, type Member, type RepoAccess, type RepoRow, recheckAccount } from '#access/index.ts'
import { People, verifyCommits } from '#code/commits/index.ts'
import { refuseEdits } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import { defaultPatchLimits } from '#git/diff/parse-patch.ts'
import type { EditedFile, FileEdit } from '#git/edit/edit-files.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { branchRef } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { KeyedMutex } from '#kernel/keyed-mutex.ts'
import { findRef, mayPush, type RefResult, writeObjects } from '#repositories/refs/index.ts'
import { type CommitTerms, commitTerms } from './commit-terms.ts'
import { readEdited } from './read-contents.ts'
import { refuseEditing } from './rules.ts'
import type { CommitOptions, FilesResponse } from './schema.ts'
import { presentFileCommit } from './view.ts'

export interface FileChanges {
  /** What changes: each file by itself, or all that a patch says. */
  change: { edits: FileEdit[] } | { patch: Uint8Array }
  options: CommitOptions
  /** What the commit says when the request does not. */
  message: string
}

/** Where a commit goes, and what it goes on top of. */
interface Target {
  branch: string
  /** What the branch has to be still when the commit lands; all zeros for one that is to be made. */
  old: Oid
  parent: Oid | undefined
  isForced: boolean
  /** It is not the branch that the commit goes on top of. */
  isOther: boolean
}

/**
 * Changes files in one commit on a branch, or on a new one, as a push of that commit would: judged by the same policies, in one transaction.
 * The answer shows the files that were edited one by one; of a patch it shows the commit alone.
 * @throws NotFound when the branch, or a file to be changed, is not there; Unprocessable on edits that do not fit what is there, and on a new
 *   branch whose name is taken; Conflict when somebody else was faster; Forbidden when a policy refuses
 */
export async function changeFiles(context: Context, viewer: Member, repo: RepoAccess, changes: FileChanges): Promise<FilesResponse> {
  requirePush(context, context.db, viewer, repo, changes.options)
  refuseEditing(repo)
  const terms = commitTerms(context, viewer.user, changes.options, changes.message)
  const branch = changes.options.new_branch || changes.options.branch || repo.row.default_branch
  const tryOnce = (isLast: boolean) => tryChange(context, viewer, repo, changes, terms, isLast)
  const made = await context.services.get(BranchMutex).run(`${repo.row.id} ${branch}`, () => untilMade(tryOnce))
  return present(context, viewer, repo, made)
}

/** By repository and branch: people who change files at once wait for each other, and each goes on from where the one before got. */
class BranchMutex extends KeyedMutex<string> {}

/** Others, who push, may come in the way so often. */
const MAX_ROUNDS = 4

/** What a change says of its files is asked in every round; what somebody else has done to others is no reason to refuse it. */
async function untilMade<T>(tryOnce: (isLast: boolean) => Promise<T | undefined>): Promise<T> {
  for (let round = 1; ; round++) {
    const made = await tryOnce(round === MAX_ROUNDS)
    if (made !== undefined) return made
  }
}

interface MadeCommit {
  oid: Oid
  branch: string
  files: EditedFile[]
}

/** @returns undefined when somebody pushed meanwhile, which is thrown the last time */
async function tryChange(
  context: Context,
  viewer: Member,
  repo: RepoAccess,
  { change, options }: FileChanges,
  terms: CommitTerms,
  isLast: boolean,
): Promise<MadeCommit | undefined> {
  const limits = { ...defaultPatchLimits, maxFileBytes: Math.min(defaultPatchLimits.maxFileBytes, context.git.limits.maxObjectBytes) }
  return writeObjects(context, repo.row.id, async (writing) => {
    const target = targetOf(context.db, repo.row, options)
    if (!target.isOther) refuseEdits(context.db, repo, viewer.user, target.branch, 'edits' in change ? change.edits.flatMap(pathsOf) : undefined)
    const base = { parent: target.parent, ...terms }
    const result = await ('edits' in change ? writing.make('commitEdits', { ...base, ...change }) : writing.make('commitPatch', { ...base, ...change, limits }))
    const update = { name: branchRef(target.branch), old: target.old, new: result.oid, fastForward: !target.isForced }
    // A new branch on top of another one can hold messages that other people wrote.
    const isOwn = !target.isOther || (options.branch || repo.row.default_branch) === repo.row.default_branch
    const coming = { actorId: viewer.user.id, acting: isOwn ? actingAlone(viewer) : undefined, updates: [update] }
    const hasLanded = await writing.landPrepared(coming, (tx, move) => {
      recheckAccount(tx, viewer.user)
      const now = accessTo(tx, viewer, repo.row.id)
      if (!now) throw new NotFound()
      requirePush(context, tx, viewer, now, options)
      refuseEditing(now)
      const [moved] = move({ ...coming, message: `commit: ${terms.message.split('\n', 1)[0]}` })
      if (moved?.ok) return true
      const error = refusal(tx, repo.row, target, moved)
      if (isLast || !(error instanceof Conflict)) throw error
      return false
    })
    return hasLanded ? { oid: result.oid, files: 'edits' in change ? result.files : [], branch: target.branch } : undefined
  })
}

/** Rights may go while a commit is made. @throws Forbidden */
function requirePush(context: Pick<Context, 'services'>, db: Db, viewer: Member, repo: RepoAccess, { branch, new_branch: newBranch }: CommitOptions): void {
  if (mayPush(context, db, viewer, repo, { name: branchRef(newBranch || branch || repo.row.default_branch) })) return
  throw new Forbidden('user should have a permission to write to the target branch')
}

function targetOf(db: Db, repo: RepoRow, { branch, new_branch: newBranch, force_push: isForced = false }: CommitOptions): Target {
  const from = branch || repo.default_branch
  const base = findRef(db, repo.id, branchRef(from))?.oid
  if (base === undefined && repo.is_empty === 0) throw new NotFound(`branch does not exist [repo_id: ${repo.id} name: ${from}]`)
  const to = newBranch || from
  if (to === from) return { branch: to, old: base ?? SHA1.zero, parent: base, isForced: false, isOther: false }
  const taken = findRef(db, repo.id, branchRef(to))?.oid
  if (taken !== undefined && !isForced) throw new Unprocessable(`branch already exists [name: ${to}]`)
  return { branch: to, old: taken ?? SHA1.zero, parent: base, isForced: taken !== undefined, isOther: true }
}

function pathsOf({ path, fromPath }: FileEdit): string[] {
  return fromPath ? [path, fromPath] : [path]
}

/** Why the branch did not move: somebody was faster, or may not, or a new one's name does not go with those of others. */
function refusal(db: Db, repo: RepoRow, target: Target, result: RefResult | undefined): Error {
  const { reason, isForbidden } = result && !result.ok ? result : { reason: 'the branch was not updated', isForbidden: false }
  if (isForbidden) return new Forbidden(reason)
  const now = findRef(db, repo.id, branchRef(target.branch))?.oid ?? SHA1.zero
  return now === target.old
    ? new Unprocessable(`Cannot create branch "${target.branch}": ${reason}`)
    : new Conflict(`Branch "${target.branch}" was updated by someone else. Reload the file and try again. (${reason})`)
}

async function present(context: Context, viewer: Member, repo: RepoAccess, made: MadeCommit): Promise<FilesResponse> {
  const details = await context.git.run('readCommit', repo.row.id, { oid: made.oid, details: { files: false, stat: false } })
  const [verification] = await verifyCommits(context, new People(context, viewer), [details])
  if (!verification) throw new Error('Cannot tell whether a commit is verified')
  // As the commit has them, whatever has become of the branch by now.
  const revision = { oid: made.oid, kind: 'branch' as const, name: made.branch }
  const place = { repo, revision, ref: branchRef(made.branch), tree: details.commit.tree }
  const files = await readEdited(context, place, details, made.files)
  return { files, commit: presentFileCommit(context, repo, details), verification }
}
