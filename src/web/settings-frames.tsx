import { atLeast, type OrgAccess, type RepoAccess } from '#access/index.ts'
import type { Child } from './html.ts'
import { Icon } from './icons.ts'
import { Layout } from './layout.tsx'
import { OrgFrame } from './org-frame.tsx'
import { RepoFrame } from './repo-frame.tsx'
import type { Visit } from './visit.ts'

/** What settings are about, by name: what the link says, and its address below the one of all. */
type Subjects<Of = never> = Readonly<Record<string, readonly [label: string, path: string, isShown?: (of: Of) => boolean]>>

const accountSubjects = {
  profile: ['Profile', ''],
  picture: ['Avatar', '/avatar'],
  emails: ['Email addresses', '/emails'],
  keys: ['SSH keys', '/keys'],
  gpg: ['GPG keys', '/gpg'],
  applications: ['Access tokens', '/applications'],
  oauth2: ['Applications', '/applications/oauth2'],
  security: ['Security', '/security'],
  links: ['Linked accounts', '/account_links'],
  sessions: ['Sessions', '/sessions'],
  notifications: ['Notifications', '/notifications'],
  organizations: ['Organizations', '/organization'],
  hooks: ['Webhooks', '/hooks'],
  blocked: ['Blocked users', '/blocked_users'],
} as const satisfies Subjects

interface AccountProps {
  visit: Visit
  subject: keyof typeof accountSubjects
  title: string
  /** As of `Layout`. */
  script?: string
  /** What the person can do there, beside the title. */
  action?: Child
  children: Child
}

/** What all pages of an account's own settings have around them. */
export function AccountFrame({ visit, subject, title, script, action, children }: AccountProps) {
  return (
    <Layout visit={visit} title={title} script={script}>
      {action ? (
        <div class="bar">
          <h1>{title}</h1>
          {action}
        </div>
      ) : (
        <h1>{title}</h1>
      )}
      <Beside visit={visit} subjects={accountSubjects} address={visit.to`/user/settings`} now={subject} label="Settings">
        {children}
      </Beside>
    </Layout>
  )
}

const repoSubjects = {
  general: ['General', ''],
  topics: ['Topics', '/topics'],
  picture: ['Avatar', '/avatar'],
  access: ['Access report', '/access'],
  collaboration: ['Collaborators', '/collaboration'],
  teams: ['Teams', '/teams', ({ owner }) => owner.kind === 'organization'],
  branches: ['Branch protection', '/branches'],
  tags: ['Tag protection', '/tags'],
  hooks: ['Webhooks', '/hooks'],
  keys: ['Deploy keys', '/keys'],
  transfer: ['Transfer ownership', '/transfer', ({ permission }) => atLeast(permission.level, 'owner')],
} as const satisfies Subjects<RepoAccess>
export type RepoSubject = keyof typeof repoSubjects

interface RepoSettingsProps {
  visit: Visit
  repo: RepoAccess
  subject: RepoSubject
  children: Child
}

/** The same of a repository. */
export function RepoSettingsFrame({ visit, repo, subject, children }: RepoSettingsProps) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/settings`
  return (
    <RepoFrame visit={visit} repo={repo} tab="settings" title={`Settings: ${repoSubjects[subject][0]}`}>
      <Beside visit={visit} subjects={shownSubjects(repo)} address={address} now={subject} label="Settings">
        <h2>{repoSubjects[subject][0]}</h2>
        {children}
      </Beside>
    </RepoFrame>
  )
}

function shownSubjects(repo: RepoAccess): Subjects {
  const shown: Subjects<RepoAccess> = repoSubjects
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, [label, path, isShown]]) => (isShown?.(repo) === false ? [] : [[name, [label, path] as const]])),
  )
}

const orgSubjects = {
  general: ['General', ''],
  picture: ['Avatar', '/avatar'],
  labels: ['Labels', '/labels'],
  hooks: ['Webhooks', '/hooks'],
  blocked: ['Blocked users', '/blocked_users'],
  applications: ['Applications', '/applications'],
} as const satisfies Subjects

interface OrgSettingsProps {
  visit: Visit
  org: OrgAccess
  subject: keyof typeof orgSubjects
  children: Child
}

/** The same of an organization. */
export function OrgSettingsFrame({ visit, org, subject, children }: OrgSettingsProps) {
  return (
    <OrgFrame visit={visit} org={org} tab="settings" title={`Settings: ${orgSubjects[subject][0]}`}>
      <Beside visit={visit} subjects={orgSubjects} address={visit.to`/org/${org.row.name}/settings`} now={subject} label="Settings">
        <h2>{orgSubjects[subject][0]}</h2>
        {children}
      </Beside>
    </OrgFrame>
  )
}

const siteSubjects = {
  summary: ['Summary', ''],
  people: ['Users', '/users'],
  emails: ['Email addresses', '/emails'],
  orgs: ['Organizations', '/orgs'],
  repos: ['Repositories', '/repos'],
  sources: ['Authentication sources', '/auths'],
  names: ['Reserved names', '/names'],
  badges: ['Badges', '/badges'],
  unadopted: ['Unadopted repositories', '/repos/unadopted'],
  mail: ['Mail queue', '/mail'],
  cron: ['Scheduled tasks', '/monitor/cron'],
  jobs: ['Background jobs', '/monitor/jobs'],
  config: ['Configuration', '/config'],
  doctor: ['Doctor', '/doctor'],
  hooks: ['Webhooks', '/hooks'],
  applications: ['Applications', '/applications'],
} as const satisfies Subjects

interface SiteProps {
  visit: Visit
  subject: keyof typeof siteSubjects
  title: string
  children: Child
}

/** What all pages of the site's administration have around them. */
export function SiteFrame({ visit, subject, title, children }: SiteProps) {
  return (
    <Layout visit={visit} title={subject === 'summary' ? title : `${title} · Administration`}>
      <h1>{title}</h1>
      <Beside visit={visit} subjects={siteSubjects} address={visit.to`/-/admin`} now={subject} label="Administration">
        {children}
      </Beside>
    </Layout>
  )
}

interface SubjectsProps {
  visit: Visit
  subjects: Subjects
  address: string
  now: string
  label: string
  children: Child
}

/** The ways to all subjects beside one of them; where there is no room beside it, a button opens them. */
function Beside({ visit, subjects, address, now, label, children }: SubjectsProps) {
  return (
    <div class="settled">
      <button class="to-side" type="button" popovertarget="subjects">
        <Icon visit={visit} name="sliders" />
        {`${label}: ${subjects[now]?.[0] ?? ''}`}
      </button>
      <nav class="popup side" id="subjects" popover="auto" aria-label={label}>
        {Object.entries(subjects).map(([name, [text, path]]) => (
          <a href={address + path} aria-current={name === now ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
      <div>{children}</div>
    </div>
  )
}

/** All settings that the viewer can open: their own, those of a repository that they administer, and the site's; as what a link says and leads to. */
export function waysToSettings(visit: Visit, repo: RepoAccess | undefined): { text: string; href: string }[] {
  const { user } = visit.viewer
  if (user === undefined) return []
  const ways = (subjects: Subjects, of: string, address: string) =>
    Object.values(subjects).map(([label, path]) => ({ text: `${of}: ${label}`, href: address + path }))
  const isRepoAdmin = repo !== undefined && atLeast(repo.permission.level, 'admin')
  return [
    ...(isRepoAdmin ? ways(shownSubjects(repo), `${repo.row.name} settings`, visit.to`/${repo.owner.name}/${repo.row.name}/settings`) : []),
    ...ways(accountSubjects, 'Your settings', visit.to`/user/settings`),
    ...(user.is_admin === 1 ? ways(siteSubjects, 'Administration', visit.to`/-/admin`) : []),
  ]
}
