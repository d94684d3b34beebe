import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, lineOf, MadeLately, PageQuery, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { CreateKeyOption } from '#people/keys/index.ts'
import {
  ActionButton,
  answerDone,
  answerPage,
  attempt,
  Choice,
  isPasswordAsked,
  Pager,
  PasswordField,
  RepoSettingsFrame,
  SubmitButton,
  TextArea,
  TextField,
  Time,
  Trouble,
  Visit,
} from '#web/index.ts'
import { addDeployKey, deleteDeployKey } from './change-deploy-keys.ts'
import { type DeployKeyRow, listDeployKeys } from './store.ts'

const PAGE_SIZE = 50
const KeyParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the key') })
const KeyForm = t.Object({
  ...t.Pick(CreateKeyOption, ['title', 'key']).properties,
  may_push: t.Optional(t.Boolean()),
  password: t.Optional(t.String({ maxLength: 1024 })),
})
type KeyForm = Static<typeof KeyForm>

interface Asked {
  viewer: Viewer
  repo: RepoAccess
  request: Request
}

/** The SSH keys that open one repository, for its administrators. */
export function deployKeyPages(context: Context) {
  return new Elysia({ name: 'deploy-keys.pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/keys', (asked) => show(context, asked, asked.query), {
      repo: 'admin',
      params: RepoParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/keys', (asked) => add(context, asked, asked.body), {
      repo: 'admin',
      params: RepoParams,
      body: KeyForm,
      detail: { hide: true },
    })
    .post(
      '/:owner/:repo/settings/keys/:id/delete',
      (asked) => {
        deleteDeployKey(context, asked.repo.row, rowIdIn(asked.params.id))
        return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => addressOf(visit, asked.repo), 'Deploy key deleted')
      },
      { repo: 'admin', params: KeyParams, detail: { hide: true } },
    )
}

function addressOf(visit: Visit, { owner, row }: RepoAccess): string {
  return visit.to`/${owner.name}/${row.name}/settings/keys`
}

/** A key lets others in: after a while the password is asked for again. */
function add(context: Context, asked: Asked, form: KeyForm): Promise<Response> {
  const { viewer, repo, request } = asked
  const work = async () => {
    await context.authenticator.requireRecent(requireUser(viewer), form.password, request)
    const key = { title: form.title, key: form.key.trim(), readOnly: form.may_push !== true }
    context.services.get(MadeLately).once(viewer, ['deploy key', repo.row.id, key], () => addDeployKey(context, repo.row, key))
    return answerDone(new Visit(context, viewer, request), (visit) => addressOf(visit, repo), 'Deploy key added')
  }
  return attempt(work, (problem) => show(context, asked, {}, form, problem))
}

async function show(context: Context, { viewer, repo, request }: Asked, query: { page?: string }, typed?: KeyForm, problem?: Problem): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listDeployKeys(context.db, lineOf(viewer), repo.row.id, {}, page)
  const list = { keys: rows, page, total, isAsked: isPasswordAsked(context, requireUser(viewer)) }
  const visit = new Visit(context, viewer, request)
  return answerPage(<DeployKeysPage visit={visit} repo={repo} {...list} typed={typed} error={problem?.message} />, problem?.status ?? 200)
}

interface Props {
  visit: Visit
  repo: RepoAccess
  keys: readonly DeployKeyRow[]
  page: Page
  total: number
  typed: KeyForm | undefined
  error: string | undefined
  isAsked: boolean
}

function DeployKeysPage({ visit, repo, keys, page, total, typed, error, isAsked }: Props) {
  const address = addressOf(visit, repo)
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="keys">
      <p>
        Deploy keys are SSH keys that give access to this repository only. This server supports git over HTTP only, so deploy keys do not work for git here. Use
        an access token that is limited to this repository instead.
      </p>
      {keys.length > 0 && (
        <ul class="list">
          {keys.map((key) => (
            <li class="bar">
              <div>
                {key.title}
                {key.is_read_only === 0 && <span class="mark">Write access</span>}
                <p class="faint">
                  <code>{key.fingerprint}</code>, added <Time at={key.created_at} />
                </p>
              </div>
              <ActionButton action={`${address}/${key.id}/delete`} to={key.title} isDanger>
                Delete
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      <form class="fields" method="post" action={address}>
        <h3>Add deploy key</h3>
        <Trouble text={error} />
        <TextField name="title" label="Name" value={typed?.title} most={255} isRequired />
        <TextArea name="key" label="Public key (starts with ssh-ed25519, ecdsa-sha2-nistp256 or ssh-rsa)" value={typed?.key} rows={4} isRequired isExact />
        <Choice name="may_push" label="Allow write access" isOn={typed?.may_push === true} />
        <PasswordField isAsked={isAsked} />
        <SubmitButton>Add deploy key</SubmitButton>
      </form>
    </RepoSettingsFrame>
  )
}
