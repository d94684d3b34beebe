import type { OrgAccess } from '#access/index.ts'
import { Avatar } from './avatar.tsx'
import type { Child } from './html.ts'
import type { IconName } from './icon-names.ts'
import { Layout } from './layout.tsx'
import { visibilityMarks } from './rights.tsx'
import { Tabs } from './tabs.tsx'
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

const labels: Record<OrgTab, readonly [label: string, icon: IconName]> = {
  repositories: ['Repositories', 'repo'],
  activity: ['Activity', 'history'],
  followers: ['Followers', 'star'],
  members: ['Members', 'people'],
  teams: ['Teams', 'organization'],
  settings: ['Settings', 'sliders'],
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
      <div class="person head">
        <Avatar visit={visit} of={row} size={64} />
        <div>
          <h1>
            <a href={addresses.repositories}>{row.full_name || row.name}</a>
            {visibilityMarks[row.visibility].map((mark) => (
              <span class="mark">{mark}</span>
            ))}
          </h1>
          <p class="faint">{`${row.name} · Organization`}</p>
        </div>
        {action}
      </div>
      <Tabs
        visit={visit}
        label="Organization"
        now={tab}
        tabs={tabs.map((name) => ({
          name,
          href: addresses[name],
          text: labels[name][0],
          icon: labels[name][1],
          count: name === 'followers' ? row.follower_count : undefined,
        }))}
      />
      {children}
    </Layout>
  )
}
