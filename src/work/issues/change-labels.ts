import type { Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import type { LabelRow } from '#repositories/labels/index.ts'
import { addEntry, announce, change, type Deed } from './deed.ts'
import { deleteIssueLabel, insertIssueLabel, listLabelsOf } from './label-store.ts'
import { MOST_LABELS } from './schema.ts'
import type { IssueRow } from './store.ts'

/** Puts labels on an issue; an exclusive one takes the place of those of its scope. @throws Unprocessable for more than an issue can have */
export function addLabels(tx: Tx, deed: Deed, issue: IssueRow, labels: readonly LabelRow[]): void {
  const added: number[] = []
  const removed: number[] = []
  let on = listLabelsOf(tx, issue.id)
  for (const label of labels) {
    const rivals = on.filter((other) => excludes(label, other))
    removed.push(...rivals.filter((rival) => takeOff(tx, deed, issue, rival)).map(({ id }) => id))
    if (putOn(tx, deed, issue, label)) added.push(label.id)
    on = [...on.filter((other) => other.id !== label.id && !rivals.includes(other)), label]
  }
  tell(tx, deed, issue, { added, removed })
}

/** @returns whether it was on it */
export function removeLabel(tx: Tx, deed: Deed, issue: IssueRow, label: LabelRow): boolean {
  const isRemoved = takeOff(tx, deed, issue, label)
  if (isRemoved) tell(tx, deed, issue, { added: [], removed: [label.id] })
  return isRemoved
}

/** Leaves exactly these; of several that exclude each other the last. @throws as `addLabels` does */
export function replaceLabels(tx: Tx, deed: Deed, issue: IssueRow, labels: readonly LabelRow[]): void {
  const kept = labels.filter((label, at) => !labels.slice(at + 1).some((later) => later.id === label.id || excludes(later, label)))
  const removed = listLabelsOf(tx, issue.id).filter((label) => !kept.some(({ id }) => id === label.id))
  for (const label of removed) takeOff(tx, deed, issue, label)
  const added = kept.filter((label) => putOn(tx, deed, issue, label))
  tell(tx, deed, issue, { added: added.map(({ id }) => id), removed: removed.map(({ id }) => id) })
}

export function clearLabels(tx: Tx, deed: Deed, issue: IssueRow): void {
  const removed = listLabelsOf(tx, issue.id)
  if (removed.length === 0) return
  for (const label of removed) takeOff(tx, deed, issue, label)
  change(tx, deed, issue)
  announce(tx, deed, issue, 'label_cleared', { labels: { added: [], removed: removed.map(({ id }) => id) } })
}

/** `kind` of `kind/bug`; only an exclusive label has one that counts. */
function scopeOf({ name, is_exclusive }: LabelRow): string | undefined {
  const end = name.lastIndexOf('/')
  return is_exclusive === 1 && end > 0 && end < name.length - 1 ? name.slice(0, end) : undefined
}

function excludes(label: LabelRow, other: LabelRow): boolean {
  return label.id !== other.id && scopeOf(label) !== undefined && scopeOf(label) === scopeOf(other)
}

function putOn(tx: Tx, deed: Deed, issue: IssueRow, label: LabelRow): boolean {
  if (!insertIssueLabel(tx, issue.id, label.id)) return false
  addEntry(tx, deed, issue, 'label', { label_id: label.id, body: '1' })
  return true
}

function takeOff(tx: Tx, deed: Deed, issue: IssueRow, label: LabelRow): boolean {
  if (!deleteIssueLabel(tx, issue.id, label.id)) return false
  addEntry(tx, deed, issue, 'label', { label_id: label.id })
  return true
}

function tell(tx: Tx, deed: Deed, issue: IssueRow, labels: { added: readonly number[]; removed: readonly number[] }): void {
  if (labels.added.length + labels.removed.length === 0) return
  if (labels.added.length > 0 && listLabelsOf(tx, issue.id).length > MOST_LABELS) throw new Unprocessable(`An issue can have at most ${MOST_LABELS} labels`)
  change(tx, deed, issue)
  announce(tx, deed, issue, 'label_updated', { labels })
}
