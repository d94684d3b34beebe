import { Elysia } from 'elysia'
import { gate, PageQuery, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { TAGS } from '#git/refs/names.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { countRefs, listRefs } from '#repositories/refs/index.ts'
import { answerPage, Pager, RepoFrame, Visit } from '#web/index.ts'

const PAGE_SIZE = 50

/** The tags of a repository, by name. */
export function tagPages(context: Context) {
  return new Elysia({ name: 'tags.pages' }).use(gate(context, 'page')).get(
    '/:owner/:repo/tags',
    ({ viewer, repo, request, query }) => {
      const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
      const refs = listRefs(context.db, repo.row.id, { prefix: TAGS, limit: page.limit, offset: page.offset })
      const total = countRefs(context.db, repo.row.id, TAGS)
      const names = refs.map(({ name }) => name.slice(TAGS.length))
      return answerPage(<TagsPage visit={new Visit(context, viewer, request)} repo={repo} names={names} page={page} total={total} />)
    },
    { repo: 'code:read', params: RepoParams, query: PageQuery, detail: { hide: true } },
  )
}

interface Props {
  visit: Visit
  repo: RepoAccess
  names: readonly string[]
  page: Page
  total: number
}

function TagsPage({ visit, repo, names, page, total }: Props) {
  const { owner, row } = repo
  return (
    <RepoFrame visit={visit} repo={repo} tab="tags" title="Tags">
      <h2>Tags</h2>
      {total === 0 && <p class="faint">There are none yet.</p>}
      {total > 0 && (
        <ul class="list">
          {names.map((name) => (
            <li>
              <a href={visit.to`/${owner.name}/${row.name}/src/tag/${name}`}>{name}</a>

              <p>
                <a href={visit.to`/${owner.name}/${row.name}/commits/tag/${name}`}>History</a>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}
