import { Elysia } from 'elysia'
import { gate, PageQuery, type RepoAccess, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { listBranches } from '#repositories/refs/index.ts'
import { answerPage, Pager, RepoFrame, Visit } from '#web/index.ts'

const PAGE_SIZE = 50

/** The branches of a repository, the newest commit first. */
export function branchPages(context: Context) {
  return new Elysia({ name: 'branches.pages' }).use(gate(context, 'page')).get(
    '/:owner/:repo/branches',
    ({ viewer, repo, request, query }) => {
      const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
      const refs = listBranches(context.db, repo.row.id, page)
      const total = repo.row.branch_count
      const names = refs.map(({ name }) => name.slice(HEADS.length))
      return answerPage(<BranchesPage visit={new Visit(context, viewer, request)} repo={repo} names={names} page={page} total={total} />)
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

function BranchesPage({ visit, repo, names, page, total }: Props) {
  const { owner, row } = repo
  return (
    <RepoFrame visit={visit} repo={repo} tab="branches" title="Branches">
      <h2>Branches</h2>
      {total === 0 && <p class="faint">There are none yet.</p>}
      {total > 0 && (
        <ul class="list">
          {names.map((name) => (
            <li>
              <a href={visit.to`/${owner.name}/${row.name}/src/branch/${name}`}>{name}</a>
              {name === row.default_branch && <span class="mark">Default</span>}
              <p>
                <a href={visit.to`/${owner.name}/${row.name}/commits/branch/${name}`}>History</a>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}
