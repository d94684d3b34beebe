import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, lineOf, MadeLately, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type Page, pageOfSize } from '#kernel/page.ts'
import { AccountFrame, answerDone, answerPage, mendable, Pager, PasswordField, SubmitButton, Time, Trouble, Visit } from '#web/index.ts'
import { addPrincipal, deletePrincipal } from './change-principals.ts'
import { type Principals, PrincipalsSection } from './principals-section.tsx'
import { listPrincipals } from './principals-store.ts'
import { CreateKeyOption, CreatePrincipalOption } from './schema.ts'
import { listPublicKeys, type PublicKeyRow } from './store.ts'
import { addPublicKey, deletePublicKey } from './user-keys.ts'

const PAGE_SIZE = 50
const KeysQuery = t.Object({ ...PageQuery.properties, names: t.Optional(t.String()) })
const PrincipalForm = t.Object({ ...CreatePrincipalOption.properties, password: t.Optional(t.String({ maxLength: 1024 })) })
const KeyForm = t.Object({ ...t.Pick(CreateKeyOption, ['title', 'key']).properties, password: t.Optional(t.String({ maxLength: 1024 })) })

/** The SSH keys of one's own account. */
export function keyPages(context: Context) {
  return new Elysia({ name: 'keys.pages' })
    .use(gate(context, 'page'))
    .get('/user/settings/keys', ({ viewer, request, query }) => show(context, new Visit(context, viewer, request), viewer, query), {
      signedIn: [],
      query: KeysQuery,
      detail: { hide: true },
    })
    .post('/user/settings/keys', ({ viewer, request, body }) => add(context, new Visit(context, viewer, request), viewer, request, body), {
      signedIn: [],
      body: KeyForm,
      detail: { hide: true },
    })
    .post(
      '/user/settings/keys/:id/delete',
      ({ viewer, request, params }) => {
        deletePublicKey(context, viewer.user, rowIdIn(params.id))
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/user/settings/keys`, 'SSH key deleted')
      },
      { signedIn: [], params: t.Object({ id: IdText('ID of the key') }), detail: { hide: true } },
    )
    .post('/user/settings/keys/principals', ({ viewer, request, body }) => name(context, new Visit(context, viewer, request), viewer, request, body), {
      signedIn: [],
      body: PrincipalForm,
      detail: { hide: true },
    })
    .post(
      '/user/settings/keys/principals/:id/delete',
      ({ viewer, request, params }) => {
        deletePrincipal(context, viewer.user, rowIdIn(params.id))
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/user/settings/keys`, 'Principal removed')
      },
      { signedIn: [], params: t.Object({ id: IdText('ID of the principal') }), detail: { hide: true } },
    )
}

/** Nothing that was typed is lost when it is not taken. */
async function add(context: Context, visit: Visit, viewer: Member, request: Request, form: Static<typeof KeyForm>): Promise<Response> {
  try {
    await context.authenticator.requireRecent(viewer, form.password, request)
    const key = { title: form.title, key: form.key.trim(), readOnly: false }
    context.services.get(MadeLately).once(viewer, ['key', key], () => addPublicKey(context, viewer.user, key))
    return answerDone(visit, visit.to`/user/settings/keys`, 'SSH key added')
  } catch (error) {
    const problem = mendable(error)
    return show(context, visit, viewer, {}, { key: form, error: problem })
  }
}

async function name(context: Context, visit: Visit, viewer: Member, request: Request, form: Static<typeof PrincipalForm>): Promise<Response> {
  try {
    await context.authenticator.requireRecent(viewer, form.password, request)
    context.services.get(MadeLately).once(viewer, ['principal', form.name], () => addPrincipal(context, viewer.user, form.name))
    return answerDone(visit, visit.to`/user/settings/keys`, 'Principal added')
  } catch (error) {
    const problem = mendable(error)
    return show(context, visit, viewer, {}, { principal: form.name, error: problem })
  }
}

/** What was typed into one of the two forms, and why it was not taken. */
interface Draft {
  key?: Static<typeof KeyForm>
  principal?: string
  error?: Problem
}

async function show(
  context: Pick<Context, 'config' | 'db' | 'authenticator'>,
  visit: Visit,
  viewer: Member,
  query: { page?: string; names?: string },
  draft: Draft = {},
): Promise<Response> {
  const page = pageOfSize(query.page, PAGE_SIZE)
  const { rows: keys, total } = await listPublicKeys(context.db, lineOf(viewer), viewer.user.id, undefined, page)
  const isAsked = !context.authenticator.sessions.isRecent(viewer)
  // Nobody is asked for names that no certificate could be believed about.
  const hasCertificates = context.config.server.SSH_TRUSTED_USER_CA_KEYS.length > 0
  const namesPage = pageOfSize(query.names, PAGE_SIZE)
  const principals = hasCertificates ? { ...listPrincipals(context.db, viewer.user.id, namesPage), page: namesPage } : undefined
  return answerPage(<KeysPage {...{ visit, keys, page, total, principals, draft }} isPasswordAsked={isAsked} />, draft.error?.status ?? 200)
}

interface Props {
  visit: Visit
  keys: readonly PublicKeyRow[]
  page: Page
  total: number
  /** Undefined where no certificates are taken. */
  principals: Principals | undefined
  draft: Draft
  isPasswordAsked: boolean
}

function KeysPage({ visit, keys, page, total, principals, draft, isPasswordAsked }: Props) {
  const { key: typed, principal, error } = draft
  const address = visit.to`/user/settings/keys`
  return (
    <AccountFrame visit={visit} subject="keys" title="SSH keys">
      <p>
        Commits signed with these keys are shown as verified. Programs can also use the keys to sign API requests. This server does not offer Git over SSH: use
        HTTP with an access token.
      </p>
      {keys.length > 0 && (
        <ul class="list">
          {keys.map((key) => (
            <li class="bar">
              <div>
                {key.title}
                <p class="faint">
                  <code>{key.fingerprint}</code>, added <Time at={key.created_at} />
                </p>
              </div>
              <form method="post" action={`${address}/${key.id}/delete`}>
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
        <h2>Add SSH key</h2>
        <Trouble text={principal === undefined ? error?.message : undefined} />
        <label>
          Name
          <input name="title" value={typed?.title} maxlength="255" required />
        </label>
        <label>
          Public key (starts with ssh-ed25519, ecdsa-sha2-nistp256 or ssh-rsa)
          <textarea name="key" rows="4" spellcheck="false" required>
            {`\n${typed?.key ?? ''}`}
          </textarea>
        </label>
        <PasswordField isAsked={isPasswordAsked} />
        <SubmitButton>Add SSH key</SubmitButton>
      </form>
      {principals && (
        <PrincipalsSection
          visit={visit}
          principals={principals}
          typed={principal}
          error={principal === undefined ? undefined : error?.message}
          isPasswordAsked={isPasswordAsked}
        />
      )}
    </AccountFrame>
  )
}
