import { type Static, t } from 'elysia'
import { IdText } from '#access/index.ts'
import { IssueParams, UpdatedAt } from '#work/issues/index.ts'

export const IssueLabelsOption = t.Object(
  {
    labels: t.Optional(t.Array(t.Any(), { maxItems: 200, description: 'label IDs or label names, not both' })),
    updated_at: UpdatedAt,
  },
  { $id: 'IssueLabelsOption' },
)
export type IssueLabelsOption = Static<typeof IssueLabelsOption>

export const DeleteLabelsOption = t.Object({ updated_at: UpdatedAt }, { $id: 'DeleteLabelsOption' })
export type DeleteLabelsOption = Static<typeof DeleteLabelsOption>

export const IssueLabelParams = t.Object({ ...IssueParams.properties, id: IdText('ID of the label to remove') })
