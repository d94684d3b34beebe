import { Backlog, fillSlice } from '#kernel/backlog.ts'
import type { Database, Tx } from '#kernel/db.ts'
import type { Tasks } from '#kernel/tasks.ts'
import { deleteHandedOver, dropLabelsOfOthers, findFirstHandedOver, findNextIssue, setLookedTo } from './left-labels-store.ts'

/** Rows that go in one transaction, and issues that are looked at: a few milliseconds. */
const SLICE = 50

/** Takes labels of former owners from the issues of repositories that have changed hands. */
export class LeftLabels extends Backlog {
  constructor(context: { db: Database; tasks: Tasks }) {
    super(context, 'take labels of former owners from issues', (tx) => fillSlice(SLICE, () => leaveNext(tx)))
  }
}

/** @returns about how many rows were looked at; undefined when no repository was left */
function leaveNext(tx: Tx): number | undefined {
  const repo = findFirstHandedOver(tx)
  if (!repo) return undefined
  const issue = findNextIssue(tx, repo)
  if (!issue) return deleteHandedOver(tx, repo.id)
  const dropped = dropLabelsOfOthers(tx, issue.id, repo.owner_id, SLICE)
  if (dropped < SLICE) setLookedTo(tx, repo.id, issue.number)
  return 1 + dropped
}
