import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int } from '#kernel/schema.ts'

export const Label = t.Object(
  {
    id: Int(),
    name: t.String(),
    exclusive: t.Boolean(),
    is_archived: t.Boolean(),
    color: t.String({ description: 'six hexadecimal digits' }),
    description: t.String(),
    url: t.String(),
  },
  { $id: 'Label' },
)
export const LabelList = t.Array(Label, { $id: 'LabelList' })

const Name = t.String({
  maxLength: 50,
  pattern: '^(?=.*\\S)[^\\x00-\\x1f\\x7f]+$',
  error: '1 to 50 characters are expected, not all of them blank, and no line breaks',
})
const Color = t.String({
  maxLength: 20,
  pattern: '^\\s*#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})\\s*$',
  error: 'a color like "#00aabb", "00aabb" or "#0ab" is expected',
})
const rest = {
  description: t.Optional(t.String({ maxLength: 200 })),
  exclusive: t.Optional(t.Boolean({ description: 'at most one label of its scope (what comes before the last "/" of the name) stands on an issue' })),
  is_archived: t.Optional(t.Boolean()),
}

export const CreateLabelOption = t.Object({ name: Name, color: Color, ...rest }, { $id: 'CreateLabelOption' })
export const EditLabelOption = t.Object({ name: t.Optional(Name), color: t.Optional(Color), ...rest }, { $id: 'EditLabelOption' })

export const LabelsQuery = t.Object({
  ...PageQuery.properties,
  sort: t.Optional(t.String({ description: 'reversealphabetically, or else by name' })),
})

export const LabelTemplate = t.Object({ name: t.String(), color: t.String(), description: t.String(), exclusive: t.Boolean() }, { $id: 'LabelTemplate' })
export type LabelTemplate = Static<typeof LabelTemplate>
