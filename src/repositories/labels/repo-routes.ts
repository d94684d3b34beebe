import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, paging, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { createLabel, deleteLabel, editLabel } from './change-labels.ts'
import { getLabel } from './find-label.ts'
import { CreateLabelOption, EditLabelOption, Label, LabelList, LabelsQuery } from './schema.ts'
import { countLabels, type Holder, type LabelRow, listLabels } from './store.ts'
import { presentLabel } from './view.ts'

/** Spelled out: repositories are made with labels, so their room stands on this one. */
const LabelParams = t.Object({ ...RepoParams.properties, id: IdText('id of the label') })

/** Labels of one repository, for its issues and pull requests alike: either unit opens them. */
export function repoLabels(context: Context) {
  const holder = (repo: RepoAccess): Holder => ({ kind: 'repo', id: repo.row.id })
  const present = ({ owner, row }: RepoAccess, label: LabelRow) =>
    presentLabel(`${context.rootUrl}api/v1/repos/${encodeURIComponent(owner.name)}/${encodeURIComponent(row.name)}`, label)
  return new Elysia({ name: 'labels.repo' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/labels',
      ({ repo, query, page, total }) => {
        total(countLabels(context.db, holder(repo)))
        return listLabels(context.db, holder(repo), page, query.sort === 'reversealphabetically').map((label) => present(repo, label))
      },
      {
        repo: 'issues|pulls:read',
        list: true,
        params: RepoParams,
        query: LabelsQuery,
        response: { 200: LabelList },
        detail: operation('issueListLabels', "Get all of a repository's labels", 'issue'),
      },
    )
    .post(
      '/repos/:owner/:repo/labels',
      ({ repo, body }) => {
        const label = createLabel(context, holder(repo), body)
        return present(repo, label)
      },
      {
        repo: 'issues|pulls:write',
        params: RepoParams,
        body: CreateLabelOption,
        response: { 201: Label },
        detail: operation('issueCreateLabel', 'Create a label', 'issue'),
      },
    )
    .get('/repos/:owner/:repo/labels/:id', ({ repo, params }) => present(repo, getLabel(context.db, holder(repo), params.id)), {
      repo: 'issues|pulls:read',
      params: LabelParams,
      response: { 200: Label },
      detail: operation('issueGetLabel', 'Get a single label, by its id or its name', 'issue'),
    })
    .patch('/repos/:owner/:repo/labels/:id', ({ repo, params, body }) => present(repo, editLabel(context, holder(repo), rowIdIn(params.id), body)), {
      repo: 'issues|pulls:write',
      params: LabelParams,
      body: EditLabelOption,
      response: { 200: Label },
      detail: operation('issueEditLabel', 'Update a label', 'issue'),
    })
    .delete('/repos/:owner/:repo/labels/:id', ({ repo, params }) => deleteLabel(context, holder(repo), rowIdIn(params.id)), {
      repo: 'issues|pulls:write',
      params: LabelParams,
      response: noContent,
      detail: operation('issueDeleteLabel', 'Delete a label', 'issue'),
    })
}
