import type { RepoAccess, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { endOfDay, secondsOf } from '#kernel/schema.ts'
import { type DeletionKey, findDeleted, restorableSince, restore, softDelete } from '#repositories/deletions/index.ts'
import type { CreateMilestoneOption, EditMilestoneOption } from './schema.ts'
import { findMilestone, findMilestoneByTitle, insertMilestone, type MilestoneRow, updateMilestone } from './store.ts'

type MilestoneContext = Pick<Context, 'db' | 'clock'>
type DeletionContext = Pick<Context, 'clock' | 'config' | 'db' | 'jobs'>

/** The milestone that a path or a filter names: by its id, else by its title. */
export function findNamedMilestone(db: Db, repoId: number, idOrTitle: string): MilestoneRow | undefined {
  return findMilestone(db, repoId, rowIdIn(idOrTitle)) ?? findMilestoneByTitle(db, repoId, idOrTitle)
}

/** @throws NotFound */
export function getNamedMilestone(db: Db, repoId: number, idOrTitle: string): MilestoneRow {
  const found = findNamedMilestone(db, repoId, idOrTitle)
  if (!found) throw new NotFound()
  return found
}

export function createMilestone({ db, clock }: MilestoneContext, repo: RepoAccess, asked: CreateMilestoneOption): MilestoneRow {
  return db.tx((tx) => {
    const now = clock.seconds()
    const id = insertMilestone(tx, {
      repo_id: repo.row.id,
      title: asked.title?.trim() ?? '',
      description: asked.description ?? '',
      due_at: secondsOf(asked.due_on) ?? null,
      closed_at: asked.state === 'closed' ? now : null,
      created_at: now,
      updated_at: now,
    })
    return findMilestone(tx, repo.row.id, id) as MilestoneRow
  })
}

/** Changes what is given; a date is the end of its day, and Go's zero time is none. @throws NotFound */
export function editMilestone({ db, clock }: MilestoneContext, repo: RepoAccess, idOrTitle: string, asked: EditMilestoneOption): MilestoneRow {
  return db.tx((tx) => {
    const before = getNamedMilestone(tx, repo.row.id, idOrTitle)
    const now = clock.seconds()
    const title = asked.title?.trim()
    updateMilestone(tx, before.id, {
      ...(title ? { title } : {}),
      ...(asked.description === undefined ? {} : { description: asked.description }),
      ...(asked.due_on === undefined ? {} : { due_at: secondsOf(asked.due_on) === undefined ? null : (secondsOf(endOfDay(asked.due_on)) ?? null) }),
      ...(asked.state ? { closed_at: asked.state === 'closed' ? (before.closed_at ?? now) : null } : {}),
      updated_at: now,
    })
    return findMilestone(tx, repo.row.id, before.id) as MilestoneRow
  })
}

/**
 * Deletes a milestone; it can be restored for a while, with the issues that belong to it.
 * @returns the key for restoring it; undefined if nothing is kept
 * @throws NotFound
 */
export function removeMilestone(context: DeletionContext, repo: RepoAccess, idOrTitle: string, { user }: Viewer): DeletionKey | undefined {
  return context.db.txLeavingRows((tx) => softDelete(tx, context, 'milestone', getNamedMilestone(tx, repo.row.id, idOrTitle).id, user?.id))
}

/**
 * Restores a deleted milestone; issues that have got another milestone since keep that one. A milestone that is live already stays so.
 * @throws NotFound if it cannot be restored
 */
export function restoreMilestone(context: DeletionContext, repo: RepoAccess, key: DeletionKey): void {
  context.db.tx((tx) => {
    if (findMilestone(tx, repo.row.id, key.id)) return
    const milestone = findDeleted(tx, 'milestone', { kind: 'repo', id: repo.row.id }, key, restorableSince(context))
    if (!milestone) throw new NotFound()
    restore(tx, 'milestone', milestone)
  })
}
