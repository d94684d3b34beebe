import { accessStore, refuseBlocked, type UserRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { isCandidate } from '#repositories/collaborators/index.ts'
import { addEntry, announce, change, type Deed } from './deed.ts'
import { MOST_ASSIGNEES } from './schema.ts'
import { deleteAssignee, type IssueRow, insertAssignee, listAssigneeIds } from './store.ts'

/**
 * Whom a body names as assignees, each once. @throws Unprocessable for who is not there or cannot be given work in the repository;
 * Forbidden for who blocked the doer
 */
export function findAssignees(db: Db, { doer, repo }: Pick<Deed, 'doer' | 'repo'>, names: readonly string[]): UserRow[] {
  const people = new Map<number, UserRow>()
  for (const name of names) {
    if (name === '') continue
    const person = accessStore.findUserByName(db, name)
    if (!person || !isCandidate(db, person.id, repo, 'issues')) throw new Unprocessable(`Assignee does not exist: [name: ${name}]`)
    refuseBlocked(db, person.id, doer.id)
    people.set(person.id, person)
  }
  return [...people.values()]
}

/** @throws Unprocessable for more than an issue can have */
export function addAssignees(tx: Tx, deed: Deed, issue: IssueRow, people: readonly UserRow[]): void {
  const added = people.filter(({ id }) => insertAssignee(tx, issue.id, id))
  if (added.length > 0 && listAssigneeIds(tx, issue.id).length > MOST_ASSIGNEES)
    throw new Unprocessable(`An issue can have at most ${MOST_ASSIGNEES} assignees`)
  for (const { id } of added) {
    addEntry(tx, deed, issue, 'assignees', { assignee_id: id })
    change(tx, deed, issue)
    announce(tx, deed, issue, 'assigned', { assigneeId: id })
  }
}

export function removeAssignees(tx: Tx, deed: Deed, issue: IssueRow, userIds: readonly number[]): void {
  for (const id of userIds) {
    if (!deleteAssignee(tx, issue.id, id)) continue
    addEntry(tx, deed, issue, 'assignees', { assignee_id: id, is_removal: 1 })
    change(tx, deed, issue)
    announce(tx, deed, issue, 'unassigned', { assigneeId: id })
  }
}

export function replaceAssignees(tx: Tx, deed: Deed, issue: IssueRow, people: readonly UserRow[]): void {
  const before = listAssigneeIds(tx, issue.id)
  removeAssignees(
    tx,
    deed,
    issue,
    before.filter((id) => !people.some((person) => person.id === id)),
  )
  addAssignees(tx, deed, issue, people)
}
