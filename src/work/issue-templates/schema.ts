import { type Static, t } from 'elysia'

export const fieldTypes = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'] as const

export const IssueFormField = t.Object(
  {
    type: t.String(),
    id: t.String(),
    attributes: t.Record(t.String(), t.Any()),
    validations: t.Record(t.String(), t.Any()),
    visible: t.Array(t.String()),
  },
  { $id: 'IssueFormField' },
)
export type IssueFormField = Static<typeof IssueFormField>

export const IssueTemplate = t.Object(
  {
    name: t.String(),
    title: t.String(),
    about: t.String(),
    labels: t.Array(t.String()),
    assignees: t.Array(t.String()),
    ref: t.String(),
    content: t.String(),
    body: t.Array(IssueFormField),
    file_name: t.String(),
  },
  { $id: 'IssueTemplate' },
)
export type IssueTemplate = Static<typeof IssueTemplate>
/** Null when there are none, as in Gitea. */
export const IssueTemplates = t.Nullable(t.Array(IssueTemplate))

export const IssueConfigContactLink = t.Object({ name: t.String(), url: t.String(), about: t.String() }, { $id: 'IssueConfigContactLink' })
export const IssueConfig = t.Object({ blank_issues_enabled: t.Boolean(), contact_links: t.Array(IssueConfigContactLink) }, { $id: 'IssueConfig' })
export type IssueConfig = Static<typeof IssueConfig>
/** What holds where nothing is said. */
export const usualConfig: IssueConfig = { blank_issues_enabled: true, contact_links: [] }
export const IssueConfigValidation = t.Object({ valid: t.Boolean(), message: t.String() }, { $id: 'IssueConfigValidation' })
