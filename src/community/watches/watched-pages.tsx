import { Elysia, t } from 'elysia'
import { accessStore, findVisibleRepo, gate, type Member, PageQuery, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { searchRepos } from '#repositories/repos/index.ts'
import { ActionButton, answerDone, answerPage, Empty, Icon, Layout, Pager, repoIcon, Visit } from '#web/index.ts'
import { watching } from './interest-store.ts'
import { endWatch } from './store.ts'

const PAGE_SIZE = 50
const WatchForm = t.Object({ repo: t.String({ maxLength: 512 }) })
const terms = { signedIn: [], detail: { hide: true } } as const

/** The repositories that somebody watches, and the way to stop. */
export function watchedPages(context: Context) {
  return new Elysia({ name: 'watches.watched-pages' })
    .use(gate(context, 'page'))
    .get('/notifications/watching', ({ viewer, request, query }) => show(context, viewer, request, query), { ...terms, query: PageQuery })
    .post(
      '/notifications/watching',
      ({ viewer, request, body }) => {
        const [owner = '', name = ''] = body.repo.split('/')
        const repo = findVisibleRepo(context.db, viewer, owner, name)
        if (!repo) throw new NotFound()
        context.db.tx((tx) => endWatch(tx, viewer.user.id, repo.row.id))
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/notifications/watching`, `Stopped watching ${owner}/${name}`)
      },
      { ...terms, body: WatchForm },
    )
}

async function show(context: Context, viewer: Member, request: Request, query: { page?: string }): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await searchRepos(context.db, viewer, { further: [watching.of(viewer.user.id)], sort: 'alpha' }, page)
  const named = rows.flatMap((row) => {
    const owner = accessStore.findUserById(context.db, row.owner_id)
    return owner ? [{ row, name: `${owner.name}/${row.name}` }] : []
  })
  return answerPage(<WatchedPage visit={new Visit(context, viewer, request)} repos={named} page={page} total={total} />)
}

interface Props {
  visit: Visit
  repos: readonly { row: RepoRow; name: string }[]
  page: Page
  total: number
}

function WatchedPage({ visit, repos, page, total }: Props) {
  return (
    <Layout visit={visit} title="Watched repositories">
      <h1>Watched repositories</h1>
      <p>
        <a href={visit.to`/notifications`}>Notifications</a>
      </p>
      {repos.length === 0 && (
        <Empty visit={visit} icon="eye" title="No watched repositories">
          Use “Watch” at the top of a repository to get notifications about all of its issues and pull requests.
        </Empty>
      )}
      {repos.length > 0 && (
        <ul class="list">
          {repos.map(({ row, name }) => (
            <li class="person">
              <Icon visit={visit} name={repoIcon(row)} />
              <span>
                <a href={visit.to`/${name}`}>{name}</a>
              </span>
              <ActionButton action={visit.to`/notifications/watching`} to={name} fields={{ repo: name }}>
                Unwatch
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </Layout>
  )
}
