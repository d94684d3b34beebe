import { type Static, t } from 'elysia'
import { looseForm } from '#web/index.ts'
import { CreateLabelOption } from './schema.ts'

/** A label as it is filled in. */
export const LabelForm = looseForm(CreateLabelOption)
export type LabelForm = Static<typeof LabelForm>

export const LabelSetForm = t.Object({ template: t.String({ maxLength: 100 }) })
