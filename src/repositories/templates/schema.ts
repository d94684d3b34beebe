import { type Static, t } from 'elysia'

const item = (description: string) => t.Optional(t.Boolean({ description }))

export const GenerateRepoOption = t.Object(
  {
    owner: t.String({ minLength: 1, maxLength: 255, description: 'user or organization that is to own the repository' }),
    name: t.String({ minLength: 1, maxLength: 100 }),
    description: t.Optional(t.String({ maxLength: 2048 })),
    default_branch: t.Optional(t.String({ maxLength: 100, description: 'default: that of the template' })),
    private: t.Optional(t.Boolean()),
    git_content: item('take over the files of the default branch'),
    topics: item('take over topics'),
    labels: item('take over labels'),
    avatar: item('take over the picture'),
    webhooks: item('take over webhooks; for who administers the template'),
    git_hooks: item('take over git hooks, of which this server has none'),
    protected_branch: item('take over branch protections'),
  },
  { $id: 'GenerateRepoOption' },
)
export type GenerateRepoOption = Static<typeof GenerateRepoOption>
