import { Elysia, t } from 'elysia'
import { gate, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { LabelTemplate } from './schema.ts'
import { findLabelTemplate, labelTemplateNames } from './templates.ts'

/** Sets of labels that new repositories can start with. */
export function labelTemplates(context: Context) {
  return new Elysia({ name: 'labels.templates' })
    .use(gate(context))
    .get('/label/templates', () => [...labelTemplateNames], {
      anyone: [],
      response: { 200: t.Array(t.String()) },
      detail: operation('listLabelTemplates', 'Returns a list of all label templates', 'miscellaneous'),
    })
    .get(
      '/label/templates/:name',
      ({ params }) => {
        const template = findLabelTemplate(params.name)
        if (!template) throw new NotFound()
        return [...template]
      },
      {
        anyone: [],
        params: t.Object({ name: t.String({ description: 'Name of the template' }) }),
        response: { 200: t.Array(LabelTemplate) },
        detail: operation('getLabelTemplateInfo', 'Returns all labels in a template', 'miscellaneous'),
      },
    )
}
