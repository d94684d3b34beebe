import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, type OrgAccess, OrgParams, operation, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { createLabel, deleteLabel, editLabel } from './change-labels.ts'
import { getLabel } from './find-label.ts'
import { CreateLabelOption, EditLabelOption, Label, LabelList, LabelsQuery } from './schema.ts'
import { countLabels, type Holder, type LabelRow, listLabels } from './store.ts'
import { presentLabel } from './view.ts'

/** Spelled out: organizations list repositories, whose room stands on this one. */
const LabelParams = t.Object({ ...OrgParams.properties, id: IdText('id of the label') })

/** Labels that all repositories of an organization share. */
export function orgLabels(context: Context) {
  const holder = (org: OrgAccess): Holder => ({ kind: 'org', id: org.row.id })
  const present = (org: OrgAccess, label: LabelRow) => presentLabel(`${context.rootUrl}api/v1/orgs/${encodeURIComponent(org.row.name)}`, label)
  return new Elysia({ name: 'labels.org' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/labels',
      ({ org, query, page, total }) => {
        total(countLabels(context.db, holder(org)))
        return listLabels(context.db, holder(org), page, query.sort === 'reversealphabetically').map((label) => present(org, label))
      },
      {
        org: 'visible',
        list: true,
        params: OrgParams,
        query: LabelsQuery,
        response: { 200: LabelList },
        detail: operation('orgListLabels', "List an organization's labels", 'organization'),
      },
    )
    .post(
      '/orgs/:org/labels',
      ({ org, body }) => {
        const label = createLabel(context, holder(org), body)
        return present(org, label)
      },
      {
        org: 'owner',
        params: OrgParams,
        body: CreateLabelOption,
        response: { 201: Label },
        detail: operation('orgCreateLabel', 'Create a label for an organization', 'organization'),
      },
    )
    .get('/orgs/:org/labels/:id', ({ org, params }) => present(org, getLabel(context.db, holder(org), params.id)), {
      org: 'visible',
      params: LabelParams,
      response: { 200: Label },
      detail: operation('orgGetLabel', 'Get a single label, by its id or its name', 'organization'),
    })
    .patch('/orgs/:org/labels/:id', ({ org, params, body }) => present(org, editLabel(context, holder(org), rowIdIn(params.id), body)), {
      org: 'owner',
      params: LabelParams,
      body: EditLabelOption,
      response: { 200: Label },
      detail: operation('orgEditLabel', 'Update a label', 'organization'),
    })
    .delete('/orgs/:org/labels/:id', ({ org, params }) => deleteLabel(context, holder(org), rowIdIn(params.id)), {
      org: 'owner',
      params: LabelParams,
      response: noContent,
      detail: operation('orgDeleteLabel', 'Delete a label', 'organization'),
    })
}
