import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int } from '#kernel/schema.ts'

export const Label = t.Object(
  {
    id: Int(),
    name: t.String(),
    exclusive: t.Boolean(),
    is_archived: t.Boolean(),
    color: t.String({ description: 'Six hexadecimal digits' }),
    description: t.String(),
    url: t.String(),
  },
  { $id: 'Label' },
)
export const LabelList = t.Array(Label, { $id: 'LabelList' })

const Name = t.String({
  maxLength: 50,
  pattern: '^(?=.*\\S)[^\\x00-\\x1f\\x7f]+$',
  error: 'must have 1 to 50 characters, not only spaces, and no line breaks',
})
const Color = t.String({
  maxLength: 20,
  pattern: '^\\s*#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})\\s*$',
  error: 'must be a color like "#00aabb", "00aabb" or "#0ab"',
})
const rest = {
  description: t.Optional(t.String({ maxLength: 200 })),
  exclusive: t.Optional(
    t.Boolean({ description: 'An issue can have only one exclusive label per scope. The scope is the part of the name before the last "/".' }),
  ),
  is_archived: t.Optional(t.Boolean()),
}

export const CreateLabelOption = t.Object({ name: Name, color: Color, ...rest }, { $id: 'CreateLabelOption' })
export const EditLabelOption = t.Object({ name: t.Optional(Name), color: t.Optional(Color), ...rest }, { $id: 'EditLabelOption' })

export const LabelsQuery = t.Object({
  ...PageQuery.properties,
  sort: t.Optional(t.String({ description: 'reversealphabetically for descending names; otherwise ascending' })),
})

export const LabelTemplate = t.Object({ name: t.String(), color: t.String(), description: t.String(), exclusive: t.Boolean() }, { $id: 'LabelTemplate' })
export type LabelTemplate = Static<typeof LabelTemplate>
