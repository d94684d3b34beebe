import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, paging, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { labelHandlers } from './label-handlers.ts'
import { CreateLabelOption, EditLabelOption, Label, LabelList, LabelsQuery } from './schema.ts'

/** Spelled out: repositories are made with labels, so their room stands on this one. */
const LabelParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the label') })

/** Labels of one repository, for its issues and pull requests alike: either unit opens them. */
export function repoLabels(context: Context) {
  const labels = labelHandlers(
    context,
    (repo: RepoAccess) => ({ kind: 'repo', id: repo.row.id }),
    ({ owner, row }) => `repos/${encodeURIComponent(owner.name)}/${encodeURIComponent(row.name)}`,
  )
  return new Elysia({ name: 'labels.repo' })
    .use(gate(context))
    .use(paging(context))
    .get('/repos/:owner/:repo/labels', ({ repo, query, page, total }) => labels.list(repo, { query, page, total }), {
      repo: 'issues|pulls:read',
      list: true,
      params: RepoParams,
      query: LabelsQuery,
      response: { 200: LabelList },
      detail: operation('issueListLabels', "Get all of a repository's labels", 'issue'),
    })
    .post('/repos/:owner/:repo/labels', ({ repo, body }) => labels.create(repo, body), {
      repo: 'issues|pulls:write',
      params: RepoParams,
      body: CreateLabelOption,
      response: { 201: Label },
      detail: operation('issueCreateLabel', 'Create a label', 'issue'),
    })
    .get('/repos/:owner/:repo/labels/:id', ({ repo, params }) => labels.get(repo, params.id), {
      repo: 'issues|pulls:read',
      params: LabelParams,
      response: { 200: Label },
      detail: operation('issueGetLabel', 'Get a single label, by its id or its name', 'issue'),
    })
    .patch('/repos/:owner/:repo/labels/:id', ({ repo, params, body }) => labels.edit(repo, params.id, body), {
      repo: 'issues|pulls:write',
      params: LabelParams,
      body: EditLabelOption,
      response: { 200: Label },
      detail: operation('issueEditLabel', 'Update a label', 'issue'),
    })
    .delete('/repos/:owner/:repo/labels/:id', ({ viewer, repo, params }) => labels.delete(repo, params.id, viewer), {
      repo: 'issues|pulls:write',
      params: LabelParams,
      response: noContent,
      detail: operation('issueDeleteLabel', 'Delete a label', 'issue'),
    })
}
