import { getAccount, mayCreateRepoIn, type OrgAccess, orgAccess, type UserRow } from '#access/index.ts'
import { ActivityList, countFeed, type FeedKind, findFeedKind, HeatmapChart, KindWays, readContributions, readFeed } from '#community/activity/index.ts'
import { isFollowing, listFollowed, listFollowers } from '#community/follows/index.ts'
import { starring } from '#community/stars/index.ts'
import type { Context } from '#context.ts'
import type { Page } from '#kernel/page.ts'
import {
  Avatar,
  answerPage,
  type Child,
  type Html,
  Icon,
  type IconName,
  Layout,
  OrgFrame,
  Pager,
  PeopleList,
  SearchForm,
  seeOther,
  Tabs,
  type Visit,
} from '#web/index.ts'
import { findRepos, type ListQuery, pageOf } from './show.tsx'
import { RepoList } from './templates.tsx'

const tabs = {
  repositories: 'Repositories',
  activity: 'Activity',
  stars: 'Stars',
  followers: 'Followers',
  following: 'Following',
} as const
type Tab = keyof typeof tabs
const icons: Record<Tab, IconName> = { repositories: 'repo', activity: 'history', stars: 'star', followers: 'people', following: 'person' }
const tabsOf: Record<UserRow['kind'], readonly Tab[]> = {
  person: ['repositories', 'activity', 'stars', 'followers', 'following'],
  organization: ['repositories', 'activity', 'followers'],
}

/** A person or an organization, with what the viewer may see of theirs. @throws NotFound */
export async function showProfile(context: Context, visit: Visit, name: string, query: ListQuery): Promise<Response> {
  const account = getAccount(context.db, visit.viewer, name)
  if (account.lower_name !== name.toLowerCase()) return seeOther(visit.to`/${account.name}`)
  const tab = tabsOf[account.kind].find((one) => one === query.tab) ?? 'repositories'
  const page = pageOf(query)
  const { content, total } = await contentOf(context, visit, account, tab, query, page)
  const isAboutActivity = tab === 'activity' || tab === 'repositories'
  const days = account.kind === 'person' && isAboutActivity ? await readContributions(context, visit.viewer, account.id) : undefined
  const { user } = visit.viewer
  const follows = user && user.id !== account.id ? isFollowing(context.db, user.id, account.id) : undefined
  const org = account.kind === 'organization' ? orgAccess(context.db, visit.viewer, account) : undefined
  const isAtHome = user !== undefined && (user.id === account.id || (org !== undefined && org.role !== 'outsider'))
  const mayMake = isAtHome && mayCreateRepoIn(context.db, user, account)
  const children = (
    <>
      {days && <HeatmapChart contributions={days} now={context.clock.seconds()} />}
      {tab === 'repositories' && <ReposBar visit={visit} owner={account.name} q={query.q} mayMake={mayMake} />}
      {content}
      <Pager visit={visit} page={page} total={total} />
    </>
  )
  const props = { visit, account, tab, follows, children }
  return answerPage(org ? <OrgPage {...props} org={org} /> : <ProfilePage {...props} />)
}

interface BarProps {
  visit: Visit
  owner: string
  /** What the repositories are narrowed down by. */
  q: string | undefined
  /** Whether the viewer can make repositories here. */
  mayMake: boolean
}

function ReposBar({ visit, owner, q, mayMake }: BarProps) {
  return (
    <div class="bar">
      <SearchForm action={visit.to`/${owner}`} label="Find a repository" q={q} />
      {mayMake && (
        <a class="button" href={`${visit.to`/repo/create`}?owner=${encodeURIComponent(owner)}`}>
          <Icon visit={visit} name="plus" />
          New repository
        </a>
      )}
    </div>
  )
}

async function contentOf(
  context: Context,
  visit: Visit,
  account: UserRow,
  tab: Tab,
  query: ListQuery,
  page: Page,
): Promise<{ content: Html | null; total: number }> {
  const people = ({ rows, total }: { rows: UserRow[]; total: number }, none: string) => ({
    content: <PeopleList visit={visit} people={rows} none={none} />,
    total,
  })
  switch (tab) {
    case 'activity':
      return readActivity(context, visit, account, page, findFeedKind(query.kind))
    case 'followers':
      return people(await listFollowers(context.db, visit.viewer, account.id, page), 'No followers yet')
    case 'following':
      return people(await listFollowed(context.db, visit.viewer, account.id, page), 'No followed users yet')
    default: {
      const search = tab === 'stars' ? { further: [starring.of(account.id)] } : { ownerId: account.id }
      const { repos, total } = await findRepos(context, visit, query, search, page)
      const found = query.q
        ? { title: 'No repositories found', none: 'No repository name or description matches your search.' }
        : { title: tab === 'stars' ? 'No starred repositories yet' : 'No repositories yet' }
      return { content: <RepoList visit={visit} repos={repos} {...found} />, total }
    }
  }
}

async function readActivity(
  context: Context,
  visit: Visit,
  account: UserRow,
  page: Page,
  kind: FeedKind | undefined,
): Promise<{ content: Html | null; total: number }> {
  const feed = { of: account.kind === 'organization' ? 'org' : 'actor', id: account.id } as const
  const activities = await readFeed(context, visit.viewer, feed, { page, kind })
  const content = (
    <>
      <KindWays visit={visit} now={kind} without={['page']} />
      <ActivityList visit={visit} activities={activities} />
    </>
  )
  return { content, total: await countFeed(context, visit.viewer, feed, { kind }) }
}

interface Props {
  visit: Visit
  account: UserRow
  tab: Tab
  /** Whether the viewer follows them; undefined where that is no question. */
  follows: boolean | undefined
  children: Child
}

function ProfilePage({ visit, account, tab, follows, children }: Props) {
  const address = visit.to`/${account.name}`
  const counts: Partial<Record<Tab, number>> = { stars: account.star_count, followers: account.follower_count, following: account.following_count }
  return (
    <Layout visit={visit} title={account.full_name || account.name} feed={address}>
      <div class="profile">
        <section class="card">
          <Avatar visit={visit} of={account} size={96} />
          <h1>
            {account.full_name || account.name}
            {account.full_name !== '' && <small class="faint">{account.name}</small>}
          </h1>
          <FollowButton address={address} follows={follows} />
          <About visit={visit} account={account} />
        </section>
        <div>
          <Tabs
            visit={visit}
            label="Profile"
            now={tab}
            tabs={tabsOf.person.map((name) => ({
              name,
              href: name === 'repositories' ? address : `${address}?tab=${name}`,
              text: tabs[name],
              icon: icons[name],
              count: counts[name],
            }))}
          />
          <h2 class="unseen">{tabs[tab]}</h2>
          {children}
        </div>
      </div>
    </Layout>
  )
}

function OrgPage({ visit, org, account, tab, follows, children }: Props & { org: OrgAccess }) {
  const shown = tab === 'activity' || tab === 'followers' ? tab : 'repositories'
  return (
    <OrgFrame visit={visit} org={org} tab={shown} action={<FollowButton address={visit.to`/${account.name}`} follows={follows} />}>
      <About visit={visit} account={account} />
      <h2 class="unseen">{tabs[tab]}</h2>
      {children}
    </OrgFrame>
  )
}

function FollowButton({ address, follows }: { address: string; follows: boolean | undefined }) {
  return follows === undefined ? null : (
    <form method="post" action={`${address}/-/${follows ? 'unfollow' : 'follow'}`}>
      <button type="submit">{follows ? 'Unfollow' : 'Follow'}</button>
    </form>
  )
}

/** Formats a day: `Nov 28, 2026`. @param at seconds since 1970 */
function dayText(at: number): string {
  return new Date(at * 1000).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
}

/** What an account says of itself. */
function About({ visit, account }: { visit: Visit; account: UserRow }) {
  return (
    <div class="about">
      {account.description !== '' && <p dir="auto">{account.description}</p>}
      {account.pronouns !== '' && <p class="faint">{account.pronouns}</p>}
      {account.location !== '' && (
        <p class="faint">
          <Icon visit={visit} name="globe" /> {account.location}
        </p>
      )}
      {account.website !== '' && (
        <p>
          <Icon visit={visit} name="link" />{' '}
          <a href={account.website} rel="nofollow noopener noreferrer">
            {account.website}
          </a>
        </p>
      )}
      <p class="faint">
        <Icon visit={visit} name="calendar" /> {account.kind === 'organization' ? 'Created' : 'Joined'} {dayText(account.created_at)}
      </p>
    </div>
  )
}
