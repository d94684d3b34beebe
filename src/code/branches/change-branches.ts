import { accessStore, type RepoAccess, type RepoRow, type UserRow } from '#access/index.ts'
import { getNamedCommit } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { branchRef, HEADS, TAGS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import { findDeletedBranch, findRef, type ObjectWriting, type RefResult, updateRefs, writeObjects } from '#repositories/refs/index.ts'
import { refuseDefault, refuseUnchangeable } from './rules.ts'
import type { CreateBranchRepoOption } from './schema.ts'

/**
 * Makes a branch at the commit that the body names; returns that commit.
 * @throws NotFound when the repository is empty or the old ref does not exist; Conflict when the name is taken or in the way;
 *   Forbidden when a policy refuses; GitError `refused` (422) on a name that cannot be used
 */
export async function createBranch(context: Context, actor: UserRow, { row: repo }: RepoAccess, body: CreateBranchRepoOption): Promise<Oid> {
  refuseUnchangeable(repo)
  branchRef(body.new_branch_name)
  return writeObjects(context, repo.id, async (writing) => {
    const oid = await startOf(context, repo, body)
    await begin(writing, actor, repo, { name: body.new_branch_name, oid, message: 'branch: created through the API' })
    return oid
  })
}

/**
 * Makes a deleted branch again where it pointed, as `createBranch` would.
 * @param id of the deletion's entry in the reflog
 * @returns its name
 * @throws as `createBranch`; Conflict when nothing is known of it any more, or its commit is gone
 */
export async function restoreBranch(context: Context, actor: UserRow, { row: repo }: RepoAccess, id: number): Promise<string> {
  refuseUnchangeable(repo)
  const deleted = findDeletedBranch(context.db, repo.id, id)
  if (!deleted) throw new Conflict('Cannot restore the branch: it was deleted too long ago.')
  const [name, oid] = [deleted.name.slice(HEADS.length), deleted.old_oid]
  try {
    await writeObjects(context, repo.id, (writing) => begin(writing, actor, repo, { name, oid, message: 'branch: restored' }))
  } catch (error) {
    if (!(error instanceof GitError) || error.kind !== 'missing') throw error
    throw new Conflict(`Cannot restore branch ${name}: its last commit ${oid} no longer exists.`, { cause: error })
  }
  return name
}

interface BranchStart {
  name: string
  oid: Oid
  /** For the reflog. */
  message: string
}

async function begin(writing: ObjectWriting, actor: UserRow, repo: RepoRow, { name, oid, message }: BranchStart): Promise<void> {
  await writing.make('nothing', { tips: [oid] })
  const coming = { actorId: actor.id, updates: [{ name: branchRef(name), old: SHA1.zero, new: oid, fastForward: true }] }
  await writing.landPrepared(coming, (tx, move) => {
    refuseTakenBranch(tx, repo, name)
    const [result] = move({ ...coming, message }) as [RefResult]
    if (!result.ok && result.isForbidden) throw new Forbidden(result.reason)
    if (!result.ok) throw new Conflict(`The branch with the same name already exists. (${result.reason})`)
  })
}

/** @throws NotFound when there is no such branch; Forbidden for the default branch, protected ones, and in mirrors */
export function deleteBranch(context: Context, actor: UserRow, { row: { id } }: RepoAccess, name: string): void {
  context.db.tx((tx) => {
    const repo = accessStore.findRepoById(tx, id)
    if (!repo) throw new NotFound()
    refuseUnchangeable(repo)
    const ref = findRef(tx, repo.id, `refs/heads/${name}`)
    if (!ref) throw new NotFound(`branch does not exist [repo_id: ${repo.id} name: ${name}]`)
    refuseDefault(repo, name)
    const update = { name: ref.name, old: ref.oid, new: SHA1.zero }
    const [result] = updateRefs(context, tx, { repoId: repo.id, actorId: actor.id, message: 'branch: deleted through the API', updates: [update] }) as [
      RefResult,
    ]
    if (!result.ok && result.isForbidden) throw new Forbidden('branch protected')
    if (!result.ok) throw new Conflict(`Cannot delete branch "${name}": ${result.reason}`)
  })
}

async function startOf(
  context: Pick<Context, 'db' | 'git'>,
  repo: RepoRow,
  { old_ref_name: ref, old_branch_name: branch }: CreateBranchRepoOption,
): Promise<Oid> {
  if (ref) return getNamedCommit(context, repo, ref)
  const start = findRef(context.db, repo.id, branchRefOf(branch || repo.default_branch))
  if (!start) throw new NotFound('The old branch does not exist')
  return start.oid
}

/** Not checked for being well-formed: a name that is not finds nothing. */
function branchRefOf(name: string): string {
  return `refs/heads/${name}`
}

function refuseTakenBranch(db: Db, repo: RepoRow, name: string): void {
  if (findRef(db, repo.id, branchRefOf(name))) throw new Conflict('The branch already exists.')
  if (findRef(db, repo.id, TAGS + name)) throw new Conflict('The branch with the same tag already exists.')
}
