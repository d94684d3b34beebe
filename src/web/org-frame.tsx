import type { OrgAccess } from '#access/index.ts'
import type { Child } from './html.ts'
import { Layout } from './layout.tsx'
import type { Visit } from './visit.ts'

export type OrgTab = 'repositories' | 'settings'

interface FrameProps {
  visit: Visit
  org: OrgAccess
  tab: OrgTab
  /** What of the organization the page shows. */
  title: string
  children: Child
}

const labels: Record<OrgTab, string> = { repositories: 'Repositories', settings: 'Settings' }

/** What all pages of an organization have around them. */
export function OrgFrame({ visit, org: { row, role }, tab, title, children }: FrameProps) {
  const addresses: Record<OrgTab, string> = {
    repositories: visit.to`/${row.name}`,
    settings: visit.to`/org/${row.name}/settings`,
  }
  const tabs = (Object.keys(labels) as OrgTab[]).filter((one) => one !== 'settings' || role === 'owner')
  return (
    <Layout visit={visit} title={`${title} · ${row.name}`}>
      <h1 class="repo-name">
        <a href={addresses.repositories}>{row.full_name || row.name}</a>
        {row.visibility !== 'public' && <span class="mark">{row.visibility === 'private' ? 'Private' : 'Limited'}</span>}
      </h1>
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
