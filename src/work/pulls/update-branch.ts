import type { RepoAccess, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { OpenConflict } from '#git/merge/open-conflicts.ts'
import type { Solution } from '#git/merge/solve-conflicts.ts'
import type { Oid } from '#git/objects/oid.ts'
import { Conflict, Forbidden, NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { gitIdentity } from '#people/users/index.ts'
import { mayPush, type ObjectWriting, writeObjects } from '#repositories/refs/index.ts'
import { type RepoSettings, settingsOf } from '#repositories/repos/index.ts'
import { accessTo, type IssueRow } from '#work/issues/index.ts'
import { baseOid } from './facts.ts'
import { type HeadWriting, headHome, requireHeadWriting } from './head-writing.ts'
import type { PullRow } from './store.ts'
import { awaitPushes } from './take-pushes.ts'

export type UpdateStyle = 'merge' | 'rebase'

const switches = { merge: 'allow_merge_update', rebase: 'allow_rebase_update' } as const satisfies Record<UpdateStyle, keyof RepoSettings>

interface Update extends HeadWriting {
  base: Oid
}

/**
 * Brings the branch of a pull request up to its base, by a merge or by a rebase; judged as a push of the result would be.
 * @throws Unprocessable for a closed one, and one that is up to date; Forbidden for who may not push to it; Conflict
 */
export async function updateBranch(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow, style: UpdateStyle): Promise<void> {
  const update = await requireUpdatable(context, viewer, repo, issue, style)
  const { doer, pull, base } = update
  const committer = gitIdentity(context, doer)
  const head = pull.head_oid
  await landUpdate(context, viewer, issue, { ...update, style }, async (writing) => {
    const text = { author: committer, committer, message: mergeMessage(pull) }
    const made =
      style === 'merge'
        ? await writing.make('mergeBranch', { base: head, head: base, style, text })
        : await writing.make('rebaseBranch', { request: { head, onto: base, committer } })
    if (made.status !== 'done') throw new Conflict(`${style} failed because of conflict`)
    return 'tip' in made ? made.tip : made.commit
  })
}

/** How the viewer may bring the branch of an open pull request up to its base, as far as rights go; none for who may not push to it. */
export function updateStyles(context: Pick<Context, 'services' | 'db'>, viewer: Viewer, repo: RepoAccess, pull: PullRow): UpdateStyle[] {
  const found = headHome(context, viewer, repo, pull)
  if (!found || found.home.row.archived_at !== null) return []
  const settings = settingsOf(repo.row)
  return (['merge', 'rebase'] as const).filter((style) => settings[switches[style]])
}

/** What is in the way of merging a pull request's base into its branch, and between which commits. @throws as `updateBranch` */
export async function readConflicts(
  context: Context,
  viewer: Viewer,
  repo: RepoAccess,
  issue: IssueRow,
): Promise<{ head: Oid; base: Oid; conflicts: OpenConflict[] }> {
  const { pull, base } = await requireUpdatable(context, viewer, repo, issue, 'merge')
  const conflicts = await context.git.run('openConflicts', pull.repo_id, { ours: pull.head_oid, theirs: base, labels: labelsOf(pull) })
  return { head: pull.head_oid, base, conflicts }
}

/**
 * Merges the base into the branch with each conflict solved as somebody chose who saw the two at these commits.
 * @throws Conflict when either has moved since, or there is none to solve; Unprocessable when one is not solved; else as `updateBranch`
 */
export async function solveConflicts(
  context: Context,
  viewer: Viewer,
  repo: RepoAccess,
  issue: IssueRow,
  seen: { head: string; base: string; solutions: readonly Solution[] },
): Promise<void> {
  const update = await requireUpdatable(context, viewer, repo, issue, 'merge')
  const { doer, pull, base } = update
  if (pull.head_oid !== seen.head || base !== seen.base)
    throw new Conflict('One of the branches changed after you loaded the page. Review the conflicts again.')
  const committer = gitIdentity(context, doer)
  await landUpdate(context, viewer, issue, { ...update, style: 'merge' }, async (writing) => {
    const text = { author: committer, committer, message: mergeMessage(pull) }
    const made = await writing.make('solveConflicts', { ours: pull.head_oid, theirs: base, solutions: seen.solutions, text, labels: labelsOf(pull) })
    if (made.status !== 'done') throw new Conflict('There are no conflicts to resolve.')
    return made.commit
  })
}

function labelsOf({ base_branch, head_branch }: PullRow): { ours: string; theirs: string } {
  return { ours: head_branch, theirs: base_branch }
}

function mergeMessage({ base_branch, head_branch }: PullRow): string {
  return `Merge branch '${base_branch}' into ${head_branch}`
}

async function requireUpdatable(context: Context, viewer: Viewer, repo: RepoAccess, issue: IssueRow, style: UpdateStyle): Promise<Update> {
  const writing = await requireHeadWriting(context, viewer, repo, issue)
  const { pull } = writing
  const settings = settingsOf(repo.row)
  if (!settings[switches[style]]) throw new Forbidden(`update by ${style} is not allowed`)
  const base = baseOid(context.db, pull)
  if (base === undefined) throw new NotFound()
  if (await context.git.run('isAncestor', pull.repo_id, { ancestor: base, commit: pull.head_oid })) throw new Unprocessable('HeadBranchIsUpToDate')
  return { ...writing, base }
}

/** Moves the branch from where it was seen to what `make` makes. */
async function landUpdate(
  context: Context,
  viewer: Viewer,
  issue: IssueRow,
  { doer, pull, home, branch, base, style }: Update & { style: UpdateStyle },
  make: (writing: ObjectWriting) => Promise<Oid>,
): Promise<void> {
  await writeObjects(context, home.row.id, async (writing) => {
    if (home.row.id !== pull.repo_id) await writing.bring(pull.repo_id, [base])
    const coming = { actorId: doer.id, updates: [{ ...branch, old: pull.head_oid, new: await make(writing), fastForward: style === 'merge' }] }
    await writing.landPrepared(coming, (tx, move) => {
      const now = accessTo(tx, viewer, home.row.id)
      if (!now || !mayPush(context, tx, viewer, now, branch) || now.row.archived_at !== null)
        throw new Forbidden('You do not have permission to push to the branch.')
      const [result] = move({ ...coming, message: `update of pull request ${issue.number}` })
      if (result?.ok === false && result.isForbidden) throw new Forbidden(result.reason)
      if (!result?.ok) throw new Problem(409, result?.reason ?? '')
    })
  })
  // Whoever did it looks next.
  if (home.row.id !== pull.repo_id) await awaitPushes(context, issue.id)
}
