import type { Static } from 'elysia'
import type { Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Row, Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { type DeletionKey, findDeleted, restorableSince, restore, softDelete } from '#repositories/deletions/index.ts'
import { normalizeColor } from './color.ts'
import type { CreateLabelOption, EditLabelOption, LabelTemplate } from './schema.ts'
import { findLabel, insertLabel, type LabelOwner, type LabelRow, updateLabel } from './store.ts'
import { findLabelTemplate } from './templates.ts'

type LabelContext = Pick<Context, 'db' | 'clock'>
type DeletionContext = Pick<Context, 'clock' | 'config' | 'db' | 'jobs'>

/** Names may repeat, as in Gitea. */
export function createLabel({ db, clock }: LabelContext, owner: LabelOwner, asked: Static<typeof CreateLabelOption>): LabelRow {
  return db.tx((tx) => addLabel(tx, owner, asked, clock.seconds()))
}

/** Changes what is given. @throws NotFound when the owner has no label with this id */
export function editLabel({ db, clock }: LabelContext, owner: LabelOwner, id: number, asked: Static<typeof EditLabelOption>): LabelRow {
  return db.tx((tx) => {
    const before = findLabel(tx, owner, id)
    if (!before) throw new NotFound()
    const now = clock.seconds()
    const change = { ...changedColumns(asked), ...archiving(before, asked.is_archived, now), updated_at: now }
    updateLabel(tx, id, change)
    return { ...before, ...change }
  })
}

/**
 * Deletes a label; it can be restored for a while, with the issues that carry it. A label that does not exist is not an error.
 * @returns the key for restoring it; undefined if nothing is kept
 */
export function deleteLabel(context: DeletionContext, owner: LabelOwner, id: number, { user }: Viewer): DeletionKey | undefined {
  return context.db.txLeavingRows((tx) => (findLabel(tx, owner, id) ? softDelete(tx, context, 'label', id, user?.id) : undefined))
}

/** Restores a deleted label, on all issues that carry it. A label that is live already stays so. @throws NotFound if it cannot be restored */
export function restoreLabel(context: DeletionContext, owner: LabelOwner, key: DeletionKey): void {
  context.db.tx((tx) => {
    if (findLabel(tx, owner, key.id)) return
    const label = findDeleted(tx, 'label', owner, key, restorableSince(context))
    if (!label) throw new NotFound()
    restore(tx, 'label', label)
  })
}

/** The labels that a new repository starts with. */
export function addLabelsOf(tx: Tx, template: readonly LabelTemplate[], repoId: number, now: number): void {
  for (const label of template) addLabel(tx, { kind: 'repo', id: repoId }, label, now)
}

/** Gives an owner a set of labels, beside those that are there. @throws NotFound when there is no set of this name */
export function addLabelSet({ db, clock }: LabelContext, owner: LabelOwner, name: string): void {
  const template = findLabelTemplate(name)
  if (!template) throw new NotFound()
  db.tx((tx) => {
    for (const label of template) addLabel(tx, owner, label, clock.seconds())
  })
}

function addLabel(tx: Tx, owner: LabelOwner, asked: Static<typeof CreateLabelOption>, now: number): LabelRow {
  const row = {
    repo_id: owner.kind === 'repo' ? owner.id : null,
    org_id: owner.kind === 'org' ? owner.id : null,
    name: asked.name.trim(),
    description: asked.description ?? '',
    color: normalizeColor(asked.color),
    is_exclusive: Number(asked.exclusive === true),
    archived_at: asked.is_archived ? now : null,
    created_at: now,
    updated_at: now,
  }
  return { ...row, id: insertLabel(tx, row) }
}

function changedColumns({ name, description, color, exclusive }: Static<typeof EditLabelOption>): Row & Partial<LabelRow> {
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(description === undefined ? {} : { description }),
    ...(color === undefined ? {} : { color: normalizeColor(color) }),
    ...(exclusive === undefined ? {} : { is_exclusive: Number(exclusive) }),
  }
}

/** What is archived already keeps its date. */
function archiving({ archived_at }: LabelRow, isArchived: boolean | undefined, now: number): Pick<LabelRow, 'archived_at'> {
  if (isArchived === undefined) return { archived_at }
  return { archived_at: isArchived ? (archived_at ?? now) : null }
}
