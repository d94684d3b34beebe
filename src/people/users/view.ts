import type { Static } from 'elysia'
import { isSelf, isSiteAdmin, listScopes, type RepositoryMeta, type TokenRepoRow, type TokenRow, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import type { AccessToken, CurrentAccessToken, Email, User, UserSettings } from './schema.ts'
import type { EmailRow } from './store.ts'

export type UserRecord = Static<typeof User>
/** What views need of the context. */
export type ViewContext = Pick<Context, 'rootUrl'>

/** Gitea's zero time. It stands for an account that has never signed in, and for a time that the viewer may not see. */
const NEVER = '0001-01-01T00:00:00Z'

/** The record of a person or organization as `viewer` may see it: others' addresses, rights and sign-in state are blank. */
export function presentUser({ rootUrl }: ViewContext, viewer: Viewer, row: UserRow): UserRecord {
  const full = isSelf(viewer, row) || isSiteAdmin(viewer)
  const seesEmail = full || (viewer.user !== undefined && row.hide_email === 0)
  return {
    id: row.id,
    login: row.name,
    login_name: full ? row.login_name : '',
    source_id: full ? row.login_source : 0,
    full_name: row.full_name,
    email: seesEmail ? row.email : placeholderEmail(row, rootUrl),
    avatar_url: `${rootUrl}avatars/${row.avatar || row.id}`,
    html_url: `${rootUrl}${row.name}`,
    language: full ? row.language : '',
    is_admin: full && row.is_admin === 1,
    last_login: full && row.last_login_at !== null ? rfc3339(row.last_login_at) : NEVER,
    created: rfc3339(row.created_at),
    restricted: row.is_restricted === 1,
    active: full && row.is_active === 1,
    prohibit_login: full && row.prohibit_login === 1,
    location: row.location,
    website: row.website,
    description: row.description,
    pronouns: row.pronouns,
    visibility: row.visibility,
    followers_count: row.follower_count,
    following_count: row.following_count,
    starred_repos_count: row.star_count,
    username: row.name,
  }
}

/** What stands for an address that the viewer may not see, and what commits made through the API carry then. */
export function placeholderEmail(row: Pick<UserRow, 'id' | 'lower_name'>, rootUrl: string): string {
  return `${row.id}+${row.lower_name}@noreply.${hostOf(rootUrl)}`
}

let parsed = { url: '', host: '' }

/** The host name of the root URL, which hardly ever changes. */
function hostOf(url: string): string {
  if (parsed.url !== url) parsed = { url, host: new URL(url).hostname }
  return parsed.host
}

/**
 * @param repos those that the token is limited to, as far as its holder sees them
 * @param sha1 the token itself, in the one answer that shows it
 */
export function presentToken(row: TokenRow, repos: readonly TokenRepoRow[], sha1 = ''): Static<typeof AccessToken> {
  return {
    id: row.id,
    name: row.name,
    sha1,
    token_last_eight: row.last_eight,
    scopes: listScopes(row.scopes),
    created_at: rfc3339(row.created_at),
    // One that was never used shows when it was made, as Gitea's does.
    last_used_at: rfc3339(row.last_used_at ?? row.created_at),
    ...(row.is_limited === 1 ? { repositories: repos.map(presentMeta) } : {}),
  }
}

function presentMeta({ id, name, owner }: TokenRepoRow): Static<typeof RepositoryMeta> {
  return { id, name, owner, full_name: `${owner}/${name}` }
}

export function presentCurrentToken(row: TokenRow, holder: UserRow): Static<typeof CurrentAccessToken> {
  return {
    id: row.id,
    name: row.name,
    scopes: listScopes(row.scopes),
    created_at: rfc3339(row.created_at),
    // One that was never used shows when it was made, as Gitea's does.
    last_used_at: rfc3339(row.last_used_at ?? row.created_at),
    user: { id: holder.id, login: holder.name },
  }
}

/** Gitea's name of the theme of whoever chose none. */
const DEFAULT_THEME = 'gitea-auto'

export function presentSettings(row: UserRow): Static<typeof UserSettings> {
  return {
    full_name: row.full_name,
    website: row.website,
    description: row.description,
    location: row.location,
    pronouns: row.pronouns,
    language: row.language,
    theme: row.theme || DEFAULT_THEME,
    diff_view_style: row.diff_view_style,
    hide_email: row.hide_email === 1,
    hide_activity: row.hide_activity === 1,
  }
}

export function presentEmail(row: EmailRow, username: string): Static<typeof Email> {
  return { email: row.email, verified: row.is_verified === 1, primary: row.is_primary === 1, user_id: row.user_id, username }
}

export function presentEmails(rows: readonly EmailRow[], user: UserRow) {
  return rows.map((row) => presentEmail(row, user.name))
}
