import { t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, Time } from '#kernel/schema.ts'
import { VisibilityOrEmpty } from '#people/users/index.ts'

/** No password means no sign-in with one: until it is set, the account is reached by its tokens alone. */
export const CreateUserOption = t.Object(
  {
    username: t.String({ minLength: 1, maxLength: 40 }),
    email: t.String({ minLength: 1, maxLength: 254 }),
    password: t.Optional(t.String({ maxLength: 1024 })),
    full_name: t.Optional(t.String({ maxLength: 100 })),
    login_name: t.Optional(t.String({ maxLength: 254 })),
    source_id: t.Optional(Int({ minimum: 0, description: 'ID of the authentication source; 0 is a local account' })),
    must_change_password: t.Optional(t.Boolean({ description: 'default true' })),
    restricted: t.Optional(t.Boolean()),
    send_notify: t.Optional(t.Boolean({ description: 'notify the user by email, if the server sends email' })),
    visibility: t.Optional(VisibilityOrEmpty),
    created_at: t.Optional(Time),
  },
  { $id: 'CreateUserOption' },
)

/**
 * Gitea's documents call the source and name of sign-in required, Forgejo's do not. `allow_git_hook` and `allow_import_local`
 * are taken and have no effect: no hook scripts exist, and nothing is imported from the server's own disk.
 */
export const EditUserOption = t.Object(
  {
    source_id: t.Optional(Int({ minimum: -1, description: 'ID of the authentication source; 0 keeps the current one, -1 makes it a local account' })),
    login_name: t.Optional(t.String({ maxLength: 254 })),
    email: t.Optional(t.String({ maxLength: 254 })),
    full_name: t.Optional(t.String({ maxLength: 100 })),
    password: t.Optional(t.String({ maxLength: 1024 })),
    must_change_password: t.Optional(t.Boolean()),
    website: t.Optional(t.String({ maxLength: 255 })),
    location: t.Optional(t.String({ maxLength: 50 })),
    description: t.Optional(t.String({ maxLength: 255 })),
    pronouns: t.Optional(t.String({ maxLength: 50 })),
    hide_email: t.Optional(t.Boolean()),
    active: t.Optional(t.Boolean()),
    admin: t.Optional(t.Boolean()),
    allow_git_hook: t.Optional(t.Boolean()),
    allow_import_local: t.Optional(t.Boolean()),
    max_repo_creation: t.Optional(Int({ minimum: -1, maximum: 1_000_000_000 })),
    prohibit_login: t.Optional(t.Boolean()),
    allow_create_organization: t.Optional(t.Boolean()),
    restricted: t.Optional(t.Boolean()),
    visibility: t.Optional(VisibilityOrEmpty),
  },
  { $id: 'EditUserOption' },
)

export const RenameUserOption = t.Object({ new_username: t.String({ minLength: 1, maxLength: 40 }) }, { $id: 'RenameUserOption' })

export const EmailSearchQuery = t.Object({ ...PageQuery.properties, q: t.Optional(t.String({ maxLength: 255, description: 'keyword' })) })

const Cron = t.Object({ name: t.String(), schedule: t.String(), next: Time, prev: Time, exec_times: Int() }, { $id: 'Cron' })
export const CronList = t.Array(Cron, { $id: 'CronList' })

const Flag = (description: string) => t.Optional(t.String({ description: `${description} (true or false)` }))

/** Values that cannot be read count as absent, as Gitea has it; hence texts. */
export const AdminUserQuery = t.Object({
  ...PageQuery.properties,
  source_id: t.Optional(t.String({ description: "ID of the user's login source to search for" })),
  login_name: t.Optional(t.String({ maxLength: 254, description: "user's login name to search for" })),
  q: t.Optional(t.String({ maxLength: 255, description: 'part of the username, full name or email address' })),
  sort: t.Optional(
    t.String({
      description:
        'name (default), created, updated or id; or a value of Forgejo: oldest, newest, alphabetically, reversealphabetically, recentupdate, leastupdate',
    }),
  ),
  order: t.Optional(t.String({ description: 'asc (default) or desc' })),
  visibility: t.Optional(t.String({ description: 'public, limited or private' })),
  is_active: Flag('filter by active users'),
  is_admin: Flag('filter by site administrators'),
  is_restricted: Flag('filter by restricted users'),
  is_2fa_enabled: Flag('filter by users with two-factor authentication'),
  is_prohibit_login: Flag('filter by users who are prohibited from signing in'),
})
