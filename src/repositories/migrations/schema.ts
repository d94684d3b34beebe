import { type Static, t } from 'elysia'
import { Int, oneOf } from '#kernel/schema.ts'

export const MigrateRepoForm = t.Object(
  {
    clone_addr: t.String({ minLength: 1, maxLength: 2048, description: 'HTTP or HTTPS URL of the repository to import' }),
    repo_name: t.String({ minLength: 1, maxLength: 100 }),
    repo_owner: t.Optional(t.String({ maxLength: 40, description: 'user or organization that will own the repository; default: the signed-in user' })),
    uid: t.Optional(Int({ description: 'ID of the owner, for clients that do not send repo_owner' })),
    service: t.Optional(oneOf(['git', 'github', 'gitea', 'gitlab', 'gogs', 'onedev', 'gitbucket', 'codebase', 'codecommit'])),
    auth_username: t.Optional(t.String({ maxLength: 255 })),
    auth_password: t.Optional(t.String({ maxLength: 1024 })),
    auth_token: t.Optional(t.String({ maxLength: 1024, description: 'token to use instead of a username and password' })),
    description: t.Optional(t.String({ maxLength: 2048 })),
    private: t.Optional(t.Boolean()),
    mirror: t.Optional(t.Boolean({ description: 'must be false: this version imports once and does not synchronize' })),
  },
  { $id: 'MigrateRepoForm' },
)
export type MigrateRepoForm = Static<typeof MigrateRepoForm>
