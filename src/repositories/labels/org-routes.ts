import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, type OrgAccess, OrgParams, operation, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { labelHandlers } from './label-handlers.ts'
import { CreateLabelOption, EditLabelOption, Label, LabelList, LabelsQuery } from './schema.ts'

/** Spelled out: organizations list repositories, whose room stands on this one. */
const LabelParams = t.Object({ ...OrgParams.properties, id: IdText('ID of the label') })

/** Labels that all repositories of an organization share. */
export function orgLabels(context: Context) {
  const labels = labelHandlers(
    context,
    (org: OrgAccess) => ({ kind: 'org', id: org.row.id }),
    ({ row }) => `orgs/${encodeURIComponent(row.name)}`,
  )
  return new Elysia({ name: 'labels.org' })
    .use(gate(context))
    .use(paging(context))
    .get('/orgs/:org/labels', ({ org, query, page, total }) => labels.list(org, { query, page, total }), {
      org: 'visible',
      list: true,
      params: OrgParams,
      query: LabelsQuery,
      response: { 200: LabelList },
      detail: operation('orgListLabels', "List an organization's labels", 'organization'),
    })
    .post('/orgs/:org/labels', ({ org, body }) => labels.create(org, body), {
      org: 'owner',
      params: OrgParams,
      body: CreateLabelOption,
      response: { 201: Label },
      detail: operation('orgCreateLabel', 'Create a label for an organization', 'organization'),
    })
    .get('/orgs/:org/labels/:id', ({ org, params }) => labels.get(org, params.id), {
      org: 'visible',
      params: LabelParams,
      response: { 200: Label },
      detail: operation('orgGetLabel', 'Get a single label, by its id or its name', 'organization'),
    })
    .patch('/orgs/:org/labels/:id', ({ org, params, body }) => labels.edit(org, params.id, body), {
      org: 'owner',
      params: LabelParams,
      body: EditLabelOption,
      response: { 200: Label },
      detail: operation('orgEditLabel', 'Update a label', 'organization'),
    })
    .delete('/orgs/:org/labels/:id', ({ viewer, org, params }) => labels.delete(org, params.id, viewer), {
      org: 'owner',
      params: LabelParams,
      response: noContent,
      detail: operation('orgDeleteLabel', 'Delete a label', 'organization'),
    })
}
