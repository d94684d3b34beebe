import { atLeast, type RepoAccess } from '#access/index.ts'
import { Avatar } from './avatar.tsx'
import type { Child } from './html.ts'
import type { IconName } from './icon-names.ts'
import { Layout } from './layout.tsx'
import { RepoInterest } from './repo-interest.tsx'
import { RepoMarks } from './repo-marks.tsx'
import { Tabs } from './tabs.tsx'
import type { Visit } from './visit.ts'

export type RepoTab = 'code' | 'issues' | 'pulls' | 'commits' | 'branches' | 'tags' | 'releases' | 'wiki' | 'settings'

interface FrameProps {
  visit: Visit
  repo: RepoAccess
  /** Absent for a page that belongs to no tab. */
  tab?: RepoTab
  /** What of the repository the page shows. */
  title?: string
  /** Where what the page tells is a feed, without `.rss` or `.atom`; else that of the whole repository is named. */
  feed?: string
  children: Child
}

const labels: Record<RepoTab, readonly [label: string, icon: IconName]> = {
  code: ['Code', 'code'],
  issues: ['Issues', 'issue-opened'],
  pulls: ['Pull requests', 'git-pull-request'],
  commits: ['Commits', 'history'],
  branches: ['Branches', 'git-branch'],
  tags: ['Tags', 'tag'],
  releases: ['Releases', 'package'],
  wiki: ['Wiki', 'book'],
  settings: ['Settings', 'sliders'],
}

/** What all pages of a repository have around them. */
export function RepoFrame({ visit, repo, tab, title, feed, children }: FrameProps) {
  const { row, owner, permission } = repo
  const name = `${owner.name}/${row.name}`
  const addresses: Record<RepoTab, string> = {
    code: visit.to`/${owner.name}/${row.name}`,
    issues: visit.to`/${owner.name}/${row.name}/issues`,
    pulls: visit.to`/${owner.name}/${row.name}/pulls`,
    commits: visit.to`/${owner.name}/${row.name}/commits/branch/${row.default_branch}`,
    branches: visit.to`/${owner.name}/${row.name}/branches`,
    tags: visit.to`/${owner.name}/${row.name}/tags`,
    releases: visit.to`/${owner.name}/${row.name}/releases`,
    wiki: visit.to`/${owner.name}/${row.name}/wiki`,
    settings: visit.to`/${owner.name}/${row.name}/settings`,
  }
  const tabs = (Object.keys(labels) as RepoTab[]).filter((one) => {
    if (one === 'settings') return atLeast(permission.level, 'admin')
    if (one === 'issues' || one === 'pulls' || one === 'releases' || one === 'wiki') return atLeast(permission.of(one), 'read')
    return one === 'code' || (row.is_empty === 0 && atLeast(permission.of('code'), 'read'))
  })
  const counts: Partial<Record<RepoTab, number>> = { issues: row.open_issue_count, pulls: row.open_pull_count, releases: row.release_count }
  return (
    <Layout visit={visit} title={title === undefined ? name : `${title} · ${name}`} feed={feed ?? addresses.code}>
      <RepoHead visit={visit} repo={repo} />
      <Tabs
        visit={visit}
        label="Repository"
        now={tab}
        tabs={tabs.map((name) => ({ name, href: addresses[name], text: labels[name][0], icon: labels[name][1], count: counts[name] }))}
      />
      {children}
    </Layout>
  )
}

function RepoHead({ visit, repo }: { visit: Visit; repo: RepoAccess }) {
  const { row, owner } = repo
  const origin = row.fork_of === null ? undefined : visit.findRepo(row.fork_of)
  return (
    <>
      <div class="bar">
        <h1 class="repo-name">
          <Avatar visit={visit} of={owner} size={24} />
          <a href={visit.to`/${owner.name}`}>{owner.name}</a>
          <span class="faint">/</span>
          <a class="name" href={visit.to`/${owner.name}/${row.name}`}>
            {row.name}
          </a>
          <RepoMarks visit={visit} row={row} />
        </h1>
        <RepoInterest visit={visit} repo={repo} />
      </div>
      {origin && (
        <p class="origin faint">
          {'forked from '}
          <a href={visit.to`/${origin.owner.name}/${origin.row.name}`}>{`${origin.owner.name}/${origin.row.name}`}</a>
        </p>
      )}
    </>
  )
}
