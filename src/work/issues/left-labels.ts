import { accessStore } from '#access/index.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { dropLabelsOfOthers, findNextIssue } from './left-labels-store.ts'

/** Rows that go at a time: a few milliseconds. */
const SLICE = 50

/** Takes labels of former owners from the issues of a repository that has changed hands, by their numbers. */
export const takeForeignLabels = defineJob({
  kind: 'issues.takeForeignLabels',
  title: 'Take labels of former owners from issues',
  slice(tx, { repoId }: { repoId: number }, after: number | undefined) {
    const repo = accessStore.findRepoById(tx, repoId)
    const issue = repo && findNextIssue(tx, repoId, after ?? 0)
    if (!issue) return done
    const isOver = dropLabelsOfOthers(tx, issue.id, repo.owner_id, SLICE) < SLICE
    return isOver ? issue.number : (after ?? 0)
  },
})
