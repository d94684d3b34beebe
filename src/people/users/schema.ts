import { t } from 'elysia'
import { PageQuery, RepositoryMeta } from '#access/index.ts'
import { Int, oneOf, oneOfOrEmpty, Time, wordList } from '#kernel/schema.ts'

export const visibilities = ['public', 'limited', 'private'] as const
export const VisibilityName = oneOf(visibilities)
export const VisibilityOrEmpty = oneOfOrEmpty(visibilities)

export const User = t.Object(
  {
    id: Int(),
    login: t.String(),
    login_name: t.String(),
    source_id: Int(),
    full_name: t.String(),
    email: t.String(),
    avatar_url: t.String(),
    html_url: t.String(),
    language: t.String(),
    is_admin: t.Boolean(),
    last_login: Time,
    created: Time,
    restricted: t.Boolean(),
    active: t.Boolean(),
    prohibit_login: t.Boolean(),
    location: t.String(),
    website: t.String(),
    description: t.String(),
    pronouns: t.String(),
    visibility: t.String(),
    followers_count: Int(),
    following_count: Int(),
    starred_repos_count: Int(),
    username: t.String(),
  },
  { $id: 'User' },
)

export const UserList = t.Array(User, { $id: 'UserList' })

export const UserSearchResults = t.Object({ ok: t.Boolean(), data: t.Array(User) }, { $id: 'UserSearchResults' })

export const AccessToken = t.Object(
  {
    id: Int(),
    name: t.String(),
    sha1: t.String({ description: 'The token; only included in the response that creates it.' }),
    token_last_eight: t.String(),
    scopes: t.Array(t.String()),
    created_at: Time,
    last_used_at: Time,
    repositories: t.Optional(t.Array(RepositoryMeta, { description: 'The repositories that the token is limited to; absent if the token is not limited.' })),
  },
  { $id: 'AccessToken' },
)

export const CurrentAccessToken = t.Object(
  {
    id: Int(),
    name: t.String(),
    scopes: t.Array(t.String()),
    created_at: Time,
    last_used_at: Time,
    user: t.Object({ id: Int(), login: t.String() }, { $id: 'UserMeta' }),
  },
  { $id: 'CurrentAccessToken' },
)

export const AccessTokenList = t.Array(AccessToken, { $id: 'AccessTokenList' })

export const RepoTargetOption = t.Object({ owner: t.String({ maxLength: 100 }), name: t.String({ maxLength: 100 }) }, { $id: 'RepoTargetOption' })

/** How many repositories one token can be limited to. */
export const MAX_TOKEN_REPOS = 500

export const CreateAccessTokenOption = t.Object(
  {
    name: t.String({ minLength: 1, maxLength: 255 }),
    scopes: t.Optional(wordList(t.String({ maxLength: 100 }), { maxItems: 100 })),
    repositories: t.Optional(
      t.Union([t.Null(), t.Array(RepoTargetOption, { maxItems: MAX_TOKEN_REPOS })], {
        description:
          'The repositories that the token is limited to. It can read other repositories only if they are public, and can only have repository and issue scopes.',
      }),
    ),
  },
  { $id: 'CreateAccessTokenOption' },
)

export const UserSettings = t.Object(
  {
    full_name: t.String(),
    website: t.String(),
    description: t.String(),
    location: t.String(),
    pronouns: t.String(),
    language: t.String(),
    theme: t.String(),
    diff_view_style: t.String(),
    hide_email: t.Boolean(),
    hide_activity: t.Boolean(),
  },
  { $id: 'UserSettings' },
)

export const UserSettingsOptions = t.Object(
  {
    full_name: t.Optional(t.String({ maxLength: 100 })),
    website: t.Optional(t.String({ maxLength: 255 })),
    description: t.Optional(t.String({ maxLength: 255 })),
    location: t.Optional(t.String({ maxLength: 50 })),
    pronouns: t.Optional(t.String({ maxLength: 50 })),
    language: t.Optional(t.String({ maxLength: 10 })),
    theme: t.Optional(t.String({ maxLength: 64 })),
    diff_view_style: t.Optional(t.String({ maxLength: 10 })),
    hide_email: t.Optional(t.Boolean()),
    hide_activity: t.Optional(t.Boolean()),
  },
  { $id: 'UserSettingsOptions' },
)

export const ChangePasswordOption = t.Object({ password: t.String({ maxLength: 1024 }) }, { $id: 'ChangePasswordOption' })

export const UserSearchQuery = t.Object({
  ...PageQuery.properties,
  q: t.Optional(t.String({ description: 'keyword', maxLength: 255 })),
  uid: t.Optional(t.String({ description: 'ID of the user to search for' })),
})

/** An account may have as many addresses. */
export const MAX_EMAILS = 50

export const Email = t.Object({ email: t.String(), verified: t.Boolean(), primary: t.Boolean(), user_id: Int(), username: t.String() }, { $id: 'Email' })
export const EmailList = t.Array(Email, { $id: 'EmailList' })
const addresses = t.Optional(t.Array(t.String({ maxLength: 254 }), { maxItems: MAX_EMAILS }))
export const CreateEmailOption = t.Object({ emails: addresses }, { $id: 'CreateEmailOption' })
export const DeleteEmailOption = t.Object({ emails: addresses }, { $id: 'DeleteEmailOption' })
