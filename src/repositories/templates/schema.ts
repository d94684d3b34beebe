import { type Static, t } from 'elysia'

const item = (description: string) => t.Optional(t.Boolean({ description }))

export const GenerateRepoOption = t.Object(
  {
    owner: t.String({ minLength: 1, maxLength: 255, description: 'User or organization that will own the new repository' }),
    name: t.String({ minLength: 1, maxLength: 100 }),
    description: t.Optional(t.String({ maxLength: 2048 })),
    default_branch: t.Optional(t.String({ maxLength: 100, description: 'Default: the default branch of the template' })),
    private: t.Optional(t.Boolean()),
    git_content: item('Copy the files of the default branch'),
    topics: item('Copy the topics'),
    labels: item('Copy the labels'),
    avatar: item('Copy the avatar'),
    webhooks: item('Copy the webhooks. Requires admin access to the template.'),
    git_hooks: item('Has no effect: this server does not support git hooks'),
    protected_branch: item('Copy the branch protection rules'),
  },
  { $id: 'GenerateRepoOption' },
)
export type GenerateRepoOption = Static<typeof GenerateRepoOption>
