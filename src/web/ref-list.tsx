import type { RepoAccess } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import { Pager } from './pager.tsx'
import { RepoFrame } from './repo-frame.tsx'
import type { Visit } from './visit.ts'

interface Props {
  visit: Visit
  repo: RepoAccess
  kind: 'branch' | 'tag'
  /** Without `refs/heads/` or `refs/tags/`. */
  names: readonly string[]
  page: Page
  total: number
}

const titles = { branch: 'Branches', tag: 'Tags' }
const tabs = { branch: 'branches', tag: 'tags' } as const

/** A repository's branches or tags, each with its files and its history. */
export function RefList({ visit, repo, kind, names, page, total }: Props) {
  const { owner, row } = repo
  return (
    <RepoFrame visit={visit} repo={repo} tab={tabs[kind]} title={titles[kind]} {...(kind === 'tag' ? { feed: visit.to`/${owner.name}/${row.name}/tags` } : {})}>
      <h2>{titles[kind]}</h2>
      {total === 0 && <p class="faint">There are none yet.</p>}
      {total > 0 && (
        <ul class="list">
          {names.map((name) => (
            <li>
              <a href={visit.to`/${owner.name}/${row.name}/src/${kind}/${name}`}>{name}</a>
              {kind === 'branch' && name === row.default_branch && <span class="mark">Default</span>}
              <p>
                <a href={visit.to`/${owner.name}/${row.name}/commits/${kind}/${name}`}>History</a>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}
