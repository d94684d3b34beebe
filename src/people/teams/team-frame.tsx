import type { TeamAccess } from '#access/index.ts'
import { type Child, OrgFrame, type Visit } from '#web/index.ts'

type TeamTab = 'members' | 'repositories' | 'settings'

const tabs = { members: ['Members', ''], repositories: ['Repositories', '/repositories'], settings: ['Settings', '/edit'] } as const

/** What all pages of a team have around them. */
export function TeamFrame({ visit, team, tab, children }: { visit: Visit; team: TeamAccess; tab: TeamTab; children: Child }) {
  const { row, org } = team
  const address = teamAddress(visit, team)
  return (
    <OrgFrame visit={visit} org={org} tab="teams" title={tab === 'members' ? row.name : `${tabs[tab][0]} of ${row.name}`}>
      <h2>{row.name}</h2>
      {row.description !== '' && <p>{row.description}</p>}
      <nav class="tabs" aria-label="Team">
        {Object.entries(tabs).map(([name, [label, path]]) =>
          name === 'settings' && org.role !== 'owner' ? null : (
            <a href={address + path} aria-current={name === tab ? 'page' : undefined}>
              {label}
            </a>
          ),
        )}
      </nav>
      {children}
    </OrgFrame>
  )
}

export function teamAddress(visit: Visit, { row, org }: TeamAccess): string {
  return visit.to`/org/${org.row.name}/teams/${row.name}`
}
