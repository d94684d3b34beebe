import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { looseForm } from '#web/index.ts'
import { CreateLabelOption } from './schema.ts'

/** A label as it is filled in. */
export const LabelForm = looseForm(CreateLabelOption)
export type LabelForm = Static<typeof LabelForm>

/** Of the pages of labels. */
export const LabelListQuery = t.Object({ ...PageQuery.properties, q: t.Optional(t.String({ maxLength: 255 })) })
export type LabelListQuery = Static<typeof LabelListQuery>

export const LabelSetForm = t.Object({ template: t.String({ maxLength: 100 }) })
