import { Elysia, t } from 'elysia'
import { accessStore, gate, noContent, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { NotFound } from '#kernel/errors.ts'
import { getIssue } from './find-issue.ts'
import { assign, setDeadline, setLock, unassign } from './plan-issue.ts'
import { EditDeadlineOption, Issue, IssueAssigneesOption, IssueDeadline, IssueParams, LockIssueOption } from './schema.ts'
import { isAssigned } from './store.ts'
import { presentIssue } from './view.ts'

const AssigneeParams = t.Object({ ...IssueParams.properties, assignee: t.String({ description: 'username of the user to check' }) })

/** Who works on an issue, until when, and who may talk about it. */
export function planRoutes(context: Context) {
  return new Elysia({ name: 'issues.plan' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/issues/:index/assignees',
      (asked) =>
        presentIssue(context, asked.viewer, asked.repo, assign(context, asked.viewer, asked.repo, getIssue(context, asked), asked.body.assignees ?? [])),
      {
        repo: 'issues|pulls:write',
        params: IssueParams,
        body: IssueAssigneesOption,
        response: { 201: Issue },
        detail: operation('issueAddAssignees', 'Add assignees to an issue', 'issue'),
      },
    )
    .delete(
      '/repos/:owner/:repo/issues/:index/assignees',
      (asked) =>
        presentIssue(context, asked.viewer, asked.repo, unassign(context, asked.viewer, asked.repo, getIssue(context, asked), asked.body.assignees ?? [])),
      {
        repo: 'issues|pulls:write',
        params: IssueParams,
        body: IssueAssigneesOption,
        response: { 200: Issue },
        detail: operation('issueRemoveAssignees', 'Remove assignees from an issue', 'issue'),
      },
    )
    .get(
      '/repos/:owner/:repo/issues/:index/assignees/:assignee',
      (asked) => {
        const person = accessStore.findUserByName(context.db, asked.params.assignee)
        if (!person || !isAssigned(context.db, getIssue(context, asked).id, person.id)) throw new NotFound()
      },
      {
        repo: 'issues|pulls:read',
        params: AssigneeParams,
        response: noContent,
        detail: operation('issueCheckAssignee', 'Check if a user is assigned to an issue', 'issue'),
      },
    )
    .post(
      '/repos/:owner/:repo/issues/:index/deadline',
      (asked) => {
        const { due_at } = setDeadline(context, asked.viewer, asked.repo, getIssue(context, asked), asked.body.due_date)
        return { due_date: due_at === null ? null : rfc3339(due_at) }
      },
      {
        repo: 'issues|pulls:write',
        params: IssueParams,
        body: EditDeadlineOption,
        response: { 201: IssueDeadline },
        detail: operation(
          'issueEditIssueDeadline',
          'Set an issue deadline. If set to null, the deadline is deleted. If using deadline only the date will be taken into account, and time of day ignored.',
          'issue',
        ),
      },
    )
    .put(
      '/repos/:owner/:repo/issues/:index/lock',
      (asked) => void setLock(context, asked.viewer, asked.repo, getIssue(context, asked), true, asked.body.lock_reason),
      {
        repo: 'issues|pulls:admin',
        params: IssueParams,
        body: LockIssueOption,
        response: noContent,
        detail: operation('issueLockIssue', 'Lock an issue', 'issue'),
      },
    )
    .delete('/repos/:owner/:repo/issues/:index/lock', (asked) => void setLock(context, asked.viewer, asked.repo, getIssue(context, asked), false), {
      repo: 'issues|pulls:admin',
      params: IssueParams,
      response: noContent,
      detail: operation('issueUnlockIssue', 'Unlock an issue', 'issue'),
    })
}
