import { Elysia, t } from 'elysia'
import { gate, noContent, operation, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { listCandidates } from './candidates-store.ts'
import { requireReviewAsker } from './rules.ts'

const AssigneeParams = t.Object({ ...RepoParams.properties, assignee: t.String({ description: 'username of the assignee' }) })

/** Whom issues can be assigned to, and whom reviews can be asked of. */
export function candidates(context: Context) {
  return new Elysia({ name: 'collaborators.candidates' })
    .use(gate(context))
    .get(
      '/repos/:owner/:repo/assignees',
      ({ viewer, repo }) => listCandidates(context.db, requireUser(viewer), repo, 'issues').map((row) => presentUser(context, viewer, row)),
      {
        repo: 'read',
        params: RepoParams,
        response: { 200: UserList },
        detail: operation('repoGetAssignees', 'Return all users that have write access and can be assigned to issues', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/assignees/:assignee',
      ({ viewer, repo, params }) => {
        const name = params.assignee.toLowerCase()
        if (!listCandidates(context.db, requireUser(viewer), repo, 'issues').some((row) => row.lower_name === name)) throw new NotFound()
      },
      {
        repo: 'read',
        params: AssigneeParams,
        response: noContent,
        detail: operation('repoCheckAssignee', 'Check if a user can be assigned to issues in this repository', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/reviewers',
      ({ viewer, repo }) => {
        requireReviewAsker(context.db, requireUser(viewer), repo)
        return listCandidates(context.db, viewer, repo, 'reviews').map((row) => presentUser(context, viewer, row))
      },
      {
        repo: 'read',
        params: RepoParams,
        response: { 200: UserList },
        detail: operation('repoGetReviewers', 'Return all users that can be requested to review in this repo', 'repository'),
      },
    )
}
