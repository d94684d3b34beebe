import type { RepoAccess, UserRow } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import { Pager } from './pager.tsx'
import { RepoFrame } from './repo-frame.tsx'
import type { Visit } from './visit.ts'

/** Accounts, each with its picture and names. */
export function PeopleList({ visit, people }: { visit: Visit; people: readonly UserRow[] }) {
  if (people.length === 0) return <p class="faint">There is nobody here that you can see.</p>
  return (
    <ul class="list">
      {people.map((one) => (
        <li class="person">
          <img src={visit.to`/avatars/${one.avatar || one.id}`} alt="" width="28" height="28" loading="lazy" />
          <span>
            <a href={visit.to`/${one.name}`}>{one.name}</a> <span class="faint">{one.full_name}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

interface Props {
  visit: Visit
  repo: RepoAccess
  title: string
  people: readonly UserRow[]
  page: Page
  total: number
}

/** Who takes some interest in a repository. */
export function RepoPeoplePage({ visit, repo, title, people, page, total }: Props) {
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title={title}>
      <h2>{title}</h2>
      <PeopleList visit={visit} people={people} />
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}
