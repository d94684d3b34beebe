import { atLeast, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Tx } from '#kernel/db.ts'
import { Forbidden, NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { findRef, updateRefs } from '#repositories/refs/index.ts'
import {
  accessTo,
  addEntry,
  announce,
  change,
  type Deed,
  editIssue,
  findIssueById,
  type IssueRow,
  isWriter,
  listUsableLabels,
  replaceLabels,
  requirePosterOrWriter,
} from '#work/issues/index.ts'
import { refuseDuplicate, refuseSame } from './create-pull.ts'
import { getPullRow } from './find-pull.ts'
import { dropMerges } from './follow-refs.ts'
import { finishRenames } from './rename-branch.ts'
import type { EditPullRequestOption } from './schema.ts'
import { type PullRow, updatePull } from './store.ts'

/**
 * Changes what the body names, all of it or nothing.
 * @throws Forbidden for others than the author and writers; Conflict when the text was changed since `content_version`, or one between the same
 * branches is open; NotFound for a base that is not there; Problem 412 on the state of a merged one; Unprocessable on a base of a closed one,
 * and when it cannot be opened again
 */
export function editPull(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow, asked: EditPullRequestOption): IssueRow {
  const doer = requirePosterOrWriter(viewer, repo, seen, seen.poster_id)
  const { base, labels, allow_maintainer_edit: mayEdit, milestone, ...shared } = asked
  return context.db.tx((tx) => {
    const before = findIssueById(tx, seen.id)
    if (!before) throw new NotFound()
    const deed: Deed = { context, doer, repo, at: context.clock.seconds() }
    // Zero takes it out of no milestone, as in Gitea.
    const issue = editIssue(context, viewer, repo, before, { ...shared, ...(milestone ? { milestone } : {}) })
    if (labels !== undefined && isWriter(repo, issue)) replaceLabels(tx, deed, issue, listUsableLabels(tx, repo.row.id, repo.owner.id, labels))
    if (base) setBase(tx, deed, issue, base)
    if (mayEdit !== undefined) setMaintainerEdit(tx, viewer, getPullRow(tx, issue), mayEdit)
    return findIssueById(tx, issue.id) as IssueRow
  })
}

function setBase(tx: Tx, deed: Deed, issue: IssueRow, base: string): void {
  const pull = getPullRow(tx, issue)
  if (issue.merged_at !== null || pull.base_branch === base) return
  if (issue.is_closed === 1) throw new Unprocessable('the base of a closed pull request cannot be changed')
  if (!findRef(tx, pull.repo_id, HEADS + base)) throw new NotFound(`new base '${base.slice(0, 200)}' not exist`)
  finishRenames(tx, pull.repo_id, pull.head_repo_id)
  const next: PullRow = { ...pull, base_branch: base }
  refuseSame(next)
  refuseDuplicate(tx, next)
  updatePull(tx, issue.id, { base_branch: base })
  if (pull.has_merge_ref === 1) {
    const updates = dropMerges(tx, [{ issue_id: issue.id, number: issue.number }])
    updateRefs(deed.context, tx, { repoId: pull.repo_id, actorId: deed.doer.id, message: 'pull request', updates, isOwn: true })
  }
  addEntry(tx, deed, issue, 'change_target_branch', { old_text: pull.base_branch, new_text: base })
  announce(tx, deed, change(tx, deed, issue), 'retargeted', { former: { ref: pull.base_branch } })
}

function setMaintainerEdit(tx: Tx, viewer: Viewer, pull: PullRow, mayEdit: boolean): void {
  const head = pull.head_repo_id === null ? undefined : accessTo(tx, viewer, pull.head_repo_id)
  if (!head) throw new Problem(404, 'the head repository does not exist')
  if (!atLeast(head.permission.of('code'), 'write')) throw new Forbidden('SetAllowEdits: write permission on the head is required')
  updatePull(tx, pull.issue_id, { allow_maintainer_edit: Number(mayEdit), edits_allowed_by: mayEdit ? (viewer.user?.id ?? null) : null })
}
