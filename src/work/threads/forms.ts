import { type Static, t } from 'elysia'
import { Int } from '#kernel/schema.ts'
import { EditIssueOption, IssueParams, Text } from '#work/issues/index.ts'

const Action = t.Optional(t.String({ maxLength: 20 }))

export const CommentTargetParams = t.Object({ ...IssueParams.properties, id: t.String() })

export const IssueEditForm = t.Pick(EditIssueOption, ['title', 'body', 'content_version'])
export const CommentEditForm = t.Object({ body: Text, content_version: t.Optional(Int()) })

export const TickForm = t.Object({ task: t.String({ maxLength: 100 }) })
export const PreviewForm = t.Object({ text: Text })

export const PlanForm = t.Object({
  labels: t.Optional(t.Array(t.Integer(), { maxItems: 200 })),
  milestone: t.Optional(t.Integer()),
  assignees: t.Optional(t.Array(t.String({ maxLength: 255 }), { maxItems: 100 })),
  due: t.Optional(t.String({ pattern: '^(\\d{4}-\\d\\d-\\d\\d)?$', error: 'the date must have the format YYYY-MM-DD' })),
})
export type PlanForm = Static<typeof PlanForm>

export const ReactionForm = t.Object({ react: t.Optional(t.String({ maxLength: 50 })), unreact: t.Optional(t.String({ maxLength: 50 })) })
export type ReactionForm = Static<typeof ReactionForm>
export const ActionForm = t.Object({ action: Action })

/** Browsers send CRLF, whatever was typed. */
export function lineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
