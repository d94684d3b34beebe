import { Elysia, type Static, t } from 'elysia'
import { accessStore, gate, lineOf, listScopes, MadeLately, type Member, PageQuery, type TokenRepoRow, type TokenRow, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { BadRequest, type Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { AccountFrame, answerDone, answerPage, EditForm, mendable, Pager, PasswordField, Select, SubmitButton, Time, Trouble, Visit } from '#web/index.ts'
import { reposByToken } from './answer-tokens.ts'
import { addEmails, removeEmails } from './change-emails.ts'
import { createToken, deleteToken } from './change-tokens.ts'
import { editSettings } from './edit-settings.ts'
import { listEmails } from './emails-store.ts'
import { MAX_TOKEN_REPOS, UserSettingsOptions } from './schema.ts'
import { ScopeChoices } from './scope-choices.tsx'

const PAGE_SIZE = 50
const ProfileForm = t.Omit(UserSettingsOptions, ['language', 'diff_view_style'], { $id: undefined })
/** By the names that Gitea has for its own. */
const themes = [
  ['gitea-auto', 'System'],
  ['gitea-light', 'Light'],
  ['gitea-dark', 'Dark'],
] as const
const EmailForm = t.Object({ email: t.String({ maxLength: 254 }) })
const TokenForm = t.Object({
  name: t.String({ minLength: 1, maxLength: 255 }),
  scopes: t.Optional(t.Array(t.String({ maxLength: 100 }), { maxItems: 100 })),
  repositories: t.Optional(t.String({ maxLength: 100_000 })),
  password: t.Optional(t.String({ maxLength: 1024 })),
})

/** What people change of their own accounts: profile, addresses, access tokens. */
export function accountPages(context: Context) {
  const visitOf = ({ viewer, request }: { viewer: Member; request: Request }) => new Visit(context, viewer, request)
  return new Elysia({ name: 'users.account-pages' })
    .use(gate(context, 'page'))
    .get('/user/settings', (asked) => answerPage(<ProfilePage visit={visitOf(asked)} user={asked.viewer.user} />), { signedIn: [], detail: { hide: true } })
    .post('/user/settings', (asked) => saveProfile(context, visitOf(asked), asked.viewer, asked.body), {
      signedIn: [],
      body: ProfileForm,
      detail: { hide: true },
    })
    .get('/user/settings/emails', (asked) => showEmails(context, visitOf(asked), asked.viewer), { signedIn: [], detail: { hide: true } })
    .post(
      '/user/settings/emails',
      (asked) =>
        changeEmails(context, visitOf(asked), asked.viewer, 'Email address added', (tx) => addEmails(context, tx, asked.viewer.user, [asked.body.email])),
      { signedIn: [], body: EmailForm, detail: { hide: true } },
    )
    .post(
      '/user/settings/emails/delete',
      (asked) => changeEmails(context, visitOf(asked), asked.viewer, 'Email address removed', (tx) => removeEmails(tx, asked.viewer.user, [asked.body.email])),
      { signedIn: [], body: EmailForm, detail: { hide: true } },
    )
    .get('/user/settings/applications', (asked) => showTokens(context, visitOf(asked), asked.viewer, asked.query), {
      signedIn: [],
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/user/settings/applications', (asked) => makeToken(context, visitOf(asked), asked.viewer, asked.request, asked.body), {
      signedIn: [],
      body: TokenForm,
      detail: { hide: true },
    })
    .post(
      '/user/settings/applications/:token/delete',
      (asked) => {
        deleteToken(context, asked.viewer.user, asked.params.token)
        return answerDone(visitOf(asked), (visit) => visit.to`/user/settings/applications`, 'Token deleted')
      },
      { signedIn: [], params: t.Object({ token: t.String() }), detail: { hide: true } },
    )
}

/** What `attempt` throws that the person can mend; undefined when it went well. */
function troubleOf(attempt: () => void): Problem | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    return mendable(error)
  }
}

function saveProfile(context: Pick<Context, 'config' | 'db' | 'clock'>, visit: Visit, { user }: Member, form: Static<typeof ProfileForm>): Response {
  const asked = { ...form, hide_email: form.hide_email === true, hide_activity: form.hide_activity === true }
  const problem = troubleOf(() => void editSettings(context, user, asked))
  if (!problem) return answerDone(visit, visit.to`/user/settings`, 'Profile saved')
  const { hide_email, hide_activity, ...texts } = asked
  const typed = { ...user, ...texts, hide_email: Number(hide_email), hide_activity: Number(hide_activity) } as UserRow
  return answerPage(<ProfilePage visit={visit} user={typed} error={problem.message} />, problem.status)
}

function showEmails(context: Pick<Context, 'db'>, visit: Visit, { user }: Member, problem?: Problem): Response {
  return answerPage(<EmailsPage visit={visit} emails={listEmails(context.db, user.id)} error={problem?.message} />, problem?.status ?? 200)
}

function changeEmails(context: Pick<Context, 'db'>, visit: Visit, viewer: Member, text: string, change: Parameters<Context['db']['tx']>[0]): Response {
  const problem = troubleOf(() => void context.db.tx(change))
  return problem ? showEmails(context, visit, viewer, problem) : answerDone(visit, visit.to`/user/settings/emails`, text)
}

interface TokenDraft {
  error?: string
  status?: number
  /** A token that was just made: this is the one time that it is shown. */
  token?: string
}

async function showTokens(
  context: Pick<Context, 'db' | 'authenticator'>,
  visit: Visit,
  viewer: Member,
  query: { page?: string },
  { error, status = 200, token: made }: TokenDraft = {},
): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows: tokens, total } = await accessStore.listTokens(context.db, lineOf(viewer), viewer.user.id, page)
  const repos = reposByToken(context.db, viewer.user, tokens)
  const isAsked = !context.authenticator.sessions.isRecent(viewer)
  return answerPage(<TokensPage {...{ visit, tokens, repos, page, total, made, error }} isPasswordAsked={isAsked} />, status, {
    'Cache-Control': 'no-store',
  })
}

async function makeToken(context: Context, visit: Visit, viewer: Member, request: Request, form: Static<typeof TokenForm>): Promise<Response> {
  try {
    await context.authenticator.requireRecent(viewer, form.password, request)
    const scopes = (form.scopes ?? []).filter((scope) => scope !== '')
    const repositories = repositoriesIn(form.repositories ?? '')
    const make = () => createToken(context, viewer.user, form.name, scopes, { repositories })
    const isThere = ({ row }: ReturnType<typeof make>) => accessStore.findTokenById(context.db, row.id)?.digest === row.digest
    const { token } = context.services.get(MadeLately).once(viewer, ['token', form.name, scopes, repositories], make, isThere)
    return showTokens(context, visit, viewer, {}, { token })
  } catch (error) {
    const problem = mendable(error)
    return showTokens(context, visit, viewer, {}, { error: problem.message, status: problem.status })
  }
}

/** Names as people write them, apart by blanks, lines or commas. @returns undefined when there are none. @throws BadRequest */
function repositoriesIn(text: string): { owner: string; name: string }[] | undefined {
  const names = text.split(/[\s,]+/).filter((word) => word !== '')
  if (names.length > MAX_TOKEN_REPOS) throw new BadRequest(`Too many repositories: a token can be limited to at most ${MAX_TOKEN_REPOS}`)
  const targets = names.map((word) => {
    const [owner, name, ...more] = word.split('/')
    if (!owner || !name || more.length > 0) throw new BadRequest(`"${word.slice(0, 100)}" is not a repository name: use the form owner/name`)
    return { owner, name }
  })
  return targets.length === 0 ? undefined : targets
}

function ProfilePage({ visit, user, error }: { visit: Visit; user: UserRow; error?: string }) {
  const texts = [
    ['full_name', 'Full name', user.full_name, 100],
    ['pronouns', 'Pronouns', user.pronouns, 50],
    ['website', 'Website', user.website, 255],
    ['location', 'Location', user.location, 50],
    ['description', 'Bio', user.description, 255],
  ] as const
  return (
    <AccountFrame visit={visit} subject="profile" title="Profile">
      <EditForm class="fields" action={visit.to`/user/settings`}>
        <Trouble text={error} />
        {texts.map(([name, label, value, most]) => (
          <label>
            {label}
            <input name={name} value={value} maxlength={most} />
          </label>
        ))}
        <label class="choice">
          <input type="checkbox" name="hide_email" value="true" checked={user.hide_email === 1} /> Hide email address
        </label>
        <label class="choice">
          <input type="checkbox" name="hide_activity" value="true" checked={user.hide_activity === 1} /> Hide activity
        </label>
        <Select name="theme" label="Theme" options={themes} selected={user.theme} />
        <SubmitButton>Save profile</SubmitButton>
      </EditForm>
    </AccountFrame>
  )
}

function EmailsPage({ visit, emails, error }: { visit: Visit; emails: ReturnType<typeof listEmails>; error: string | undefined }) {
  const address = visit.to`/user/settings/emails`
  return (
    <AccountFrame visit={visit} subject="emails" title="Email addresses">
      <Trouble text={error} />
      <ul class="list">
        {emails.map(({ email, is_primary, is_verified }) => (
          <li class="bar">
            <span>
              {email}
              {is_primary === 1 && <span class="mark">Primary</span>}
              {is_verified === 0 && <span class="mark">Unconfirmed</span>}
            </span>
            {is_primary === 0 && (
              <form method="post" action={`${address}/delete`}>
                <button type="submit" name="email" value={email}>
                  Remove
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <form class="search" method="post" action={address}>
        <input name="email" type="email" aria-label="Email address" placeholder="Email address" maxlength="254" required />
        <button type="submit">Add email address</button>
      </form>
    </AccountFrame>
  )
}

interface TokensProps {
  visit: Visit
  tokens: readonly TokenRow[]
  repos: ReadonlyMap<number, readonly TokenRepoRow[]>
  page: Page
  total: number
  made: string | undefined
  error: string | undefined
  isPasswordAsked: boolean
}

function TokensPage({ visit, tokens, repos, page, total, made, error, isPasswordAsked }: TokensProps) {
  const address = visit.to`/user/settings/applications`
  return (
    <AccountFrame visit={visit} subject="applications" title="Access tokens">
      <Trouble text={error} />
      {made !== undefined && (
        <section class="written" aria-label="New token">
          <p>Copy your new access token now. It is not shown again.</p>
          <pre>{made}</pre>
        </section>
      )}
      {tokens.length > 0 && (
        <ul class="list">
          {tokens.map((token) => (
            <li class="bar">
              <div>
                {token.name} <code>…{token.last_eight}</code>
                <p class="faint">
                  {listScopes(token.scopes).join(', ')}
                  {token.last_used_at === null ? ', never used' : [', last used ', <Time at={token.last_used_at} />]}
                </p>
                {token.is_limited === 1 && <p class="faint">{namesOf(repos.get(token.id) ?? [])}</p>}
              </div>
              <form method="post" action={`${address}/${token.id}/delete`}>
                <button class="danger" type="submit">
                  Delete
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      <form class="fields" method="post" action={address}>
        <h2>New token</h2>
        <label>
          Name
          <input name="name" maxlength="255" required />
        </label>
        <ScopeChoices />
        <label>
          Limit to selected repositories
          <textarea name="repositories" rows="3" placeholder="owner/name, one per line"></textarea>
          <span class="faint">
            Leave empty for all repositories. A limited token can only read other repositories if they are public, and can only have the repository and issue
            scopes.
          </span>
        </label>
        <PasswordField isAsked={isPasswordAsked} />
        <SubmitButton>Create token</SubmitButton>
      </form>
    </AccountFrame>
  )
}

function namesOf(repos: readonly TokenRepoRow[]): string {
  return repos.length === 0 ? 'limited to repositories that no longer exist' : `limited to ${repos.map(({ owner, name }) => `${owner}/${name}`).join(', ')}`
}
