import type { OrgAccess } from '#access/index.ts'
import { Avatar } from './avatar.tsx'
import type { Child } from './html.ts'
import { Layout } from './layout.tsx'
import type { Visit } from './visit.ts'

export type OrgTab = 'repositories' | 'activity' | 'followers' | 'members' | 'teams' | 'settings'

interface FrameProps {
  visit: Visit
  org: OrgAccess
  tab: OrgTab
  /** What of the organization the page shows. */
  title?: string
  /** What the viewer can do about it, beside its name. */
  action?: Child
  children: Child
}

const labels: Record<OrgTab, string> = {
  repositories: 'Repositories',
  activity: 'Activity',
  followers: 'Followers',
  members: 'Members',
  teams: 'Teams',
  settings: 'Settings',
}

/** What all pages of an organization have around them. */
export function OrgFrame({ visit, org: { row, role }, tab, title, action, children }: FrameProps) {
  const addresses: Record<OrgTab, string> = {
    repositories: visit.to`/${row.name}`,
    activity: `${visit.to`/${row.name}`}?tab=activity`,
    followers: `${visit.to`/${row.name}`}?tab=followers`,
    members: visit.to`/org/${row.name}/members`,
    teams: visit.to`/org/${row.name}/teams`,
    settings: visit.to`/org/${row.name}/settings`,
  }
  const tabs = (Object.keys(labels) as OrgTab[]).filter((one) => {
    if (one === 'settings') return role === 'owner'
    return one !== 'teams' || role !== 'outsider'
  })
  return (
    <Layout visit={visit} title={title === undefined ? row.full_name || row.name : `${title} · ${row.name}`} feed={addresses.repositories}>
      <div class="person">
        <Avatar visit={visit} of={row} size={64} />
        <div>
          <h1>
            <a href={addresses.repositories}>{row.full_name || row.name}</a>
            {row.visibility !== 'public' && <span class="mark">{row.visibility === 'private' ? 'Private' : 'Limited'}</span>}
          </h1>
          <p class="faint">{`${row.name} · Organization`}</p>
        </div>
        {action}
      </div>
      <nav class="tabs" aria-label="Organization">
        {tabs.map((one) => (
          <a href={addresses[one]} aria-current={one === tab ? 'page' : undefined}>
            {labels[one]}
          </a>
        ))}
      </nav>
      {children}
    </Layout>
  )
}
