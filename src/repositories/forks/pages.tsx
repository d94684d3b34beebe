import { Elysia, type Static, t } from 'elysia'
import {
  accessStore,
  canSee,
  gate,
  MadeLately,
  type Member,
  PageQuery,
  permissionIn,
  type RepoAccess,
  RepoParams,
  type RepoRow,
  requireUser,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { getChosenOwner, OwnerChoice, ownersFor } from '#repositories/repos/index.ts'
import { answerPage, Empty, mendable, Pager, RepoFrame, SubmitButton, seeOther, Time, Trouble, Visit } from '#web/index.ts'
import { forkRepo } from './fork-repo.ts'
import { listForks, listForksOwnedBy } from './store.ts'

const PAGE_SIZE = 50
const ForkForm = t.Object({ owner: t.String({ maxLength: 100 }), name: t.String({ maxLength: 100 }) })
type ForkForm = Static<typeof ForkForm>

/** A repository's forks, and the form that makes one. */
export function forkPages(context: Context) {
  const visitOf = ({ viewer, request }: { viewer: Visit['viewer']; request: Request }) => new Visit(context, viewer, request)
  return new Elysia({ name: 'forks.pages' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/forks',
      async (asked) => {
        const page = parsePage({ page: asked.query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        const { rows, total } = await listForks(context.db, asked.viewer, asked.repo.row.id, page)
        return answerPage(<ForksPage visit={visitOf(asked)} repo={asked.repo} forks={named(context, rows)} page={page} total={total} />)
      },
      { repo: 'code:read', params: RepoParams, query: PageQuery, detail: { hide: true } },
    )
    .get('/:owner/:repo/fork', (asked) => showForm(context, visitOf(asked), requireUser(asked.viewer), asked.repo), {
      repo: 'code:read',
      params: RepoParams,
      detail: { hide: true },
    })
    .post('/:owner/:repo/fork', (asked) => fork(context, visitOf(asked), requireUser(asked.viewer), asked.repo, asked.body), {
      repo: 'code:read',
      params: RepoParams,
      body: ForkForm,
      detail: { hide: true },
    })
}

interface NamedFork {
  row: RepoRow
  /** `owner/name`. */
  name: string
}

function named({ db }: Pick<Context, 'db'>, rows: readonly RepoRow[]): NamedFork[] {
  const owners = new Map(accessStore.listUsersById(db, [...new Set(rows.map(({ owner_id }) => owner_id))]).map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ row, name: `${owners.get(row.owner_id)}/${row.name}` }))
}

async function showForm(context: Pick<Context, 'db'>, visit: Visit, viewer: Member, repo: RepoAccess, typed?: ForkForm, problem?: Problem): Promise<Response> {
  const { db } = context
  const { rows: owners, areAll } = await ownersFor(context, viewer)
  const ids = owners.map(({ id }) => id)
  const forks = listForksOwnedBy(db, repo.row.id, ids)
  const free = owners.filter(({ id }) => !forks.some((row) => row.owner_id === id)).map(({ name }) => name)
  const isSeen = (row: RepoRow) => owners.some((owner) => owner.id === row.owner_id && canSee(permissionIn(db, viewer, row, owner)))
  const known = named(context, forks.filter(isSeen))
  const page = <ForkPage visit={visit} repo={repo} owners={free} areAll={areAll} known={known} typed={typed} error={problem?.message} />
  return answerPage(page, problem?.status ?? 200)
}

/** Nothing that was typed is lost when it is not taken. */
async function fork(context: Context, visit: Visit, viewer: Member, base: RepoAccess, form: ForkForm): Promise<Response> {
  try {
    const owner = getChosenOwner(context, viewer, form.owner)
    const make = () => forkRepo(context, { viewer, base, owner, name: form.name || base.row.name })
    const made = await context.services.get(MadeLately).once(viewer, ['fork', base.row.id, owner.id, form.name], make)
    return seeOther(visit.to`/${owner.name}/${made.name}`)
  } catch (error) {
    const problem = mendable(error, 404)
    return showForm(context, visit, viewer, base, form, problem)
  }
}

interface FormProps {
  visit: Visit
  repo: RepoAccess
  owners: readonly string[]
  areAll: boolean
  /** Forks that are the viewer's already, or their organizations'. */
  known: readonly NamedFork[]
  typed: ForkForm | undefined
  error: string | undefined
}

function ForkPage({ visit, repo, owners, areAll, known, typed, error }: FormProps) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title="Fork">
      <h2>Fork</h2>
      <p>A fork is your own copy of a repository, with the same branches and tags. You can propose your changes to the original with pull requests.</p>
      {known.map(({ name }) => (
        <p>
          A fork already exists: <a href={visit.to`/${name}`}>{name}</a>
        </p>
      ))}
      <Trouble text={error} />
      {(owners.length > 0 || !areAll) && (
        <form class="fields" method="post" action={visit.to`/${repo.owner.name}/${repo.row.name}/fork`}>
          <OwnerChoice names={owners} areAll={areAll} selected={typed?.owner} />
          <label>
            Repository name
            <input name="name" value={typed?.name ?? repo.row.name} maxlength="100" autocapitalize="none" spellcheck="false" required />
          </label>
          <SubmitButton>Fork repository</SubmitButton>
        </form>
      )}
    </RepoFrame>
  )
}

function ForksPage({ visit, repo, forks, page, total }: { visit: Visit; repo: RepoAccess; forks: readonly NamedFork[]; page: Page; total: number }) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title="Forks">
      <h2>Forks</h2>
      {forks.length === 0 && <Empty visit={visit} icon="repo-forked" title="No forks yet" />}
      {forks.length > 0 && (
        <ul class="list">
          {forks.map(({ row, name }) => (
            <li>
              <a href={visit.to`/${name}`}>{name}</a>
              {row.is_private === 1 && <span class="mark">Private</span>}
              <p class="faint">
                Updated <Time at={row.updated_at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}
