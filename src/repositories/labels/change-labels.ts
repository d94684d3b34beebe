import type { Static } from 'elysia'
import type { Context } from '#context.ts'
import type { Row, Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { normalizeColor } from './color.ts'
import type { CreateLabelOption, EditLabelOption, LabelTemplate } from './schema.ts'
import { findLabel, type Holder, insertLabel, type LabelRow, removeLabel, updateLabel } from './store.ts'

type LabelContext = Pick<Context, 'db' | 'clock'>

/** Names may repeat, as in Gitea. */
export function createLabel({ db, clock }: LabelContext, holder: Holder, asked: Static<typeof CreateLabelOption>): LabelRow {
  return db.tx((tx) => addLabel(tx, holder, asked, clock.seconds()))
}

/** Changes what is given. @throws NotFound when the holder has no label with this id */
export function editLabel({ db, clock }: LabelContext, holder: Holder, id: number, asked: Static<typeof EditLabelOption>): LabelRow {
  return db.tx((tx) => {
    const before = findLabel(tx, holder, id)
    if (!before) throw new NotFound()
    const now = clock.seconds()
    const change = { ...changedColumns(asked), ...archiving(before, asked.is_archived, now), updated_at: now }
    updateLabel(tx, id, change)
    return { ...before, ...change }
  })
}

/** Takes it off everything that carries it, too. @throws NotFound when the holder has no label with this id */
export function deleteLabel({ db }: Pick<Context, 'db'>, holder: Holder, id: number): void {
  db.tx((tx) => {
    if (!removeLabel(tx, holder, id)) throw new NotFound()
  })
}

/** The labels that a new repository starts with. */
export function addLabelsOf(tx: Tx, template: readonly LabelTemplate[], repoId: number, now: number): void {
  for (const label of template) addLabel(tx, { kind: 'repo', id: repoId }, label, now)
}

function addLabel(tx: Tx, holder: Holder, asked: Static<typeof CreateLabelOption>, now: number): LabelRow {
  const row = {
    repo_id: holder.kind === 'repo' ? holder.id : null,
    org_id: holder.kind === 'org' ? holder.id : null,
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
