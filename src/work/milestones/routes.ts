import { Elysia } from 'elysia'
import { gate, noContent, operation, paging, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { createMilestone, editMilestone, getNamedMilestone, removeMilestone } from './change-milestones.ts'
import { CreateMilestoneOption, EditMilestoneOption, Milestone, MilestoneList, MilestoneParams, MilestonesQuery } from './schema.ts'
import { listMilestones } from './store.ts'
import { presentMilestone } from './view.ts'

/** Milestones of a repository, for its issues and pull requests alike: either unit opens them. */
export function milestones(context: Context) {
  return new Elysia({ name: 'milestones' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/milestones',
      async ({ viewer, repo, query, page, total }) => {
        const isClosed = query.state === 'all' ? undefined : query.state === 'closed'
        const found = await listMilestones(context.db, viewer, repo.row.id, { isClosed, name: query.name }, page)
        total(found.total)
        return found.rows.map(presentMilestone)
      },
      {
        repo: 'issues|pulls:read',
        list: true,
        params: RepoParams,
        query: MilestonesQuery,
        response: { 200: MilestoneList },
        detail: operation('issueGetMilestones', "Get all of a repository's opened milestones", 'issue'),
      },
    )
    .post(
      '/repos/:owner/:repo/milestones',
      ({ repo, body }) => {
        const row = createMilestone(context, repo, body)
        return presentMilestone(row)
      },
      {
        repo: 'issues|pulls:write',
        params: RepoParams,
        body: CreateMilestoneOption,
        response: { 201: Milestone },
        detail: operation('issueCreateMilestone', 'Create a milestone', 'issue'),
      },
    )
    .get('/repos/:owner/:repo/milestones/:id', ({ repo, params }) => presentMilestone(getNamedMilestone(context.db, repo.row.id, params.id)), {
      repo: 'issues|pulls:read',
      params: MilestoneParams,
      response: { 200: Milestone },
      detail: operation('issueGetMilestone', 'Get a milestone', 'issue'),
    })
    .patch('/repos/:owner/:repo/milestones/:id', ({ repo, params, body }) => presentMilestone(editMilestone(context, repo, params.id, body)), {
      repo: 'issues|pulls:write',
      params: MilestoneParams,
      body: EditMilestoneOption,
      response: { 200: Milestone },
      detail: operation('issueEditMilestone', 'Update a milestone', 'issue'),
    })
    .delete(
      '/repos/:owner/:repo/milestones/:id',
      ({ viewer, repo, params }) => {
        removeMilestone(context, repo, params.id, viewer)
      },
      { repo: 'issues|pulls:write', params: MilestoneParams, response: noContent, detail: operation('issueDeleteMilestone', 'Delete a milestone', 'issue') },
    )
}
