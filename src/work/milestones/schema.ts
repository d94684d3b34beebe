import { type Static, t } from 'elysia'
import { IdText, PageQuery, RepoParams } from '#access/index.ts'
import { Int, oneOf, oneOfOrEmpty, Time } from '#kernel/schema.ts'

export const states = ['open', 'closed'] as const
export type State = (typeof states)[number]
export const StateType = oneOf(states)

export const Milestone = t.Object(
  {
    id: Int(),
    title: t.String(),
    description: t.String(),
    state: StateType,
    open_issues: Int(),
    closed_issues: Int(),
    created_at: Time,
    updated_at: Time,
    closed_at: t.Nullable(Time),
    due_on: t.Nullable(Time),
  },
  { $id: 'Milestone' },
)
export type Milestone = Static<typeof Milestone>
export const MilestoneList = t.Array(Milestone, { $id: 'MilestoneList' })

const fields = {
  title: t.Optional(t.String({ maxLength: 255 })),
  description: t.Optional(t.String({ maxLength: 65_535 })),
  due_on: t.Optional(Time),
  state: t.Optional(oneOfOrEmpty(states)),
}
export const CreateMilestoneOption = t.Object(fields, { $id: 'CreateMilestoneOption' })
export type CreateMilestoneOption = Static<typeof CreateMilestoneOption>
/** As in Gitea, any state but `closed` is open. */
const anyState = t.Optional(t.String({ maxLength: 20, description: 'open or closed' }))
export const EditMilestoneOption = t.Object({ ...fields, state: anyState }, { $id: 'EditMilestoneOption' })
export type EditMilestoneOption = Static<typeof EditMilestoneOption>

export const MilestoneParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the milestone, or its title if no milestone has this ID') })
export const MilestonesQuery = t.Object({
  state: t.Optional(t.String({ description: 'open, closed or all; default: open' })),
  name: t.Optional(t.String({ description: 'part of the title; not case-sensitive' })),
  ...PageQuery.properties,
})
