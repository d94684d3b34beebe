import type { RepoAccess, UserRow } from '#access/index.ts'
import type { Page } from '#kernel/page.ts'
import { Avatar } from './avatar.tsx'
import { Empty } from './empty.tsx'
import type { Child } from './html.ts'
import { Pager } from './pager.tsx'
import { RepoFrame } from './repo-frame.tsx'
import type { Visit } from './visit.ts'

/** An account in a list. */
interface ListedPerson extends Pick<UserRow, 'id' | 'name' | 'full_name' | 'avatar'> {
  /** What they are here. */
  marks?: readonly string[]
  /** What can be done about them. */
  actions?: Child
}

interface ListProps {
  visit: Visit
  people: readonly ListedPerson[]
  none?: string
}

/** Accounts, each with its picture and names, what it is to the place and what can be done about it. @param none what is said where there are none */
export function PeopleList({ visit, people, none = 'No users found' }: ListProps) {
  if (people.length === 0) return <Empty visit={visit} icon="people" title={none} />
  return (
    <ul class="list">
      {people.map((one) => (
        <li class="person">
          <Avatar visit={visit} of={one} size={24} />
          <span>
            <a href={visit.to`/${one.name}`}>{one.name}</a> <span class="faint">{one.full_name}</span>
            {one.marks?.map((mark) => (
              <span class="mark">{mark}</span>
            ))}
          </span>
          {one.actions && <div class="buttons">{one.actions}</div>}
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
      <PeopleList visit={visit} people={people} none={`No ${title.toLowerCase()} yet`} />
      <Pager visit={visit} page={page} total={total} />
    </RepoFrame>
  )
}
