import { accessStore } from '#access/index.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { dropLabelsOfOthers, findNextIssue } from './left-labels-store.ts'

/** Rows that one step deletes. */
const SLICE = 50

/** Removes labels of other organizations from the issues of a transferred repository. The cursor is the number of the last issue. */
export const removeForeignLabels = defineJob({
  kind: 'issues.removeForeignLabels',
  title: 'Remove labels of the previous owner from issues',
  step(tx, { repoId }: { repoId: number }, after: number | undefined) {
    const repo = accessStore.findRepoById(tx, repoId)
    const issue = repo && findNextIssue(tx, repoId, after ?? 0)
    if (!issue) return done
    const isOver = dropLabelsOfOthers(tx, issue.id, repo.owner_id, SLICE) < SLICE
    return isOver ? issue.number : (after ?? 0)
  },
})
