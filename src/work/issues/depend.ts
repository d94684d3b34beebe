import { findVisibleRepo, type RepoAccess, refuseArchived, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { BadRequest, Conflict, NotFound, Unprocessable } from '#kernel/errors.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { addEntry, type Deed } from './deed.ts'
import { countDependencies, deleteDependency, insertDependency, reaches } from './dependency-store.ts'
import { findReadable } from './find-issue.ts'
import { isWriter } from './rules.ts'
import { type IssueMeta, MOST_DEPENDENCIES } from './schema.ts'
import type { IssueRow } from './store.ts'

/** An issue and where it is. */
export interface Placed {
  repo: RepoAccess
  issue: IssueRow
}

/** @throws NotFound where issues do not depend on one another */
export function requireDependencies({ row }: RepoAccess): void {
  if (!settingsOf(row).internal_tracker.enable_issue_dependencies) throw new NotFound()
}

/** The issue that a body names. @throws NotFound also for what the viewer may not read; BadRequest for another repository's where that cannot be */
export function findOther(context: Pick<Context, 'config' | 'db'>, viewer: Viewer, repo: RepoAccess, { owner, repo: name, index }: IssueMeta): Placed {
  const home = findVisibleRepo(context.db, viewer, owner ?? '', name ?? '')
  const issue = home && findReadable(context.db, home, index ?? 0)
  if (!home || !issue) throw new NotFound()
  if (home.row.id !== repo.row.id && !context.config.service.ALLOW_CROSS_REPOSITORY_DEPENDENCIES) {
    throw new BadRequest('CrossRepositoryDependencies not enabled')
  }
  return { repo: home, issue }
}

/**
 * Lets an issue depend on another, or no longer. @throws NotFound for who may not write to the one that depends, as in Gitea, and where
 * a dependency to remove is not there; Conflict when it is there already; Unprocessable for a circle, and among too many to tell
 */
export function depend(context: Context, viewer: Viewer, { repo, issue }: Placed, on: Placed, isOn: boolean): void {
  const { user: doer } = requireUser(viewer)
  requireDependencies(repo)
  if (!isWriter(repo, issue)) throw new NotFound()
  refuseArchived(repo)
  const deed = { context, doer, repo, at: context.clock.seconds() }
  context.db.tx((tx) => {
    if (isOn) add(tx, deed, issue, on.issue)
    else if (!deleteDependency(tx, issue.id, on.issue.id)) throw new NotFound('the issue does not have this dependency')
    const type = isOn ? 'add_dependency' : 'remove_dependency'
    addEntry(tx, deed, issue, type, { dependent_issue_id: on.issue.id })
    addEntry(tx, deed, on.issue, type, { dependent_issue_id: issue.id })
  })
}

function add(tx: Tx, { at }: Deed, issue: IssueRow, on: IssueRow): void {
  const isCircle = reaches(tx, on.id, issue.id)
  if (isCircle === undefined) throw new Unprocessable('cannot add the dependency: too many issues depend on each other to check for a circular dependency')
  if (isCircle) throw new Unprocessable('cannot add the dependency: it would be circular')
  if (!insertDependency(tx, issue.id, on.id, at)) throw new Conflict('the issue already has this dependency')
  if (countDependencies(tx, issue.id, MOST_DEPENDENCIES + 1) > MOST_DEPENDENCIES)
    throw new Unprocessable(`An issue can have at most ${MOST_DEPENDENCIES} dependencies`)
}
