import type { RepoAccess } from '#access/index.ts'
import type { Child } from './html.ts'
import { Layout } from './layout.tsx'
import { RepoFrame } from './repo-frame.tsx'
import type { Visit } from './visit.ts'

const accountSubjects = {
  profile: ['Profile', ''],
  emails: ['E-mail addresses', '/emails'],
  keys: ['SSH keys', '/keys'],
  applications: ['Access tokens', '/applications'],
  security: ['Security', '/security'],
  sessions: ['Sessions', '/sessions'],
} as const

interface AccountProps {
  visit: Visit
  subject: keyof typeof accountSubjects
  title: string
  children: Child
}

/** What all pages of an account's own settings have around them. */
export function AccountFrame({ visit, subject, title, children }: AccountProps) {
  return (
    <Layout visit={visit} title={title}>
      <h1>{title}</h1>
      <nav class="tabs" aria-label="Settings">
        {Object.entries(accountSubjects).map(([name, [label, path]]) => (
          <a href={visit.to`/user/settings` + path} aria-current={name === subject ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </Layout>
  )
}

const repoSubjects = { general: ['General', ''], collaboration: ['Collaborators', '/collaboration'] } as const

interface RepoSettingsProps {
  visit: Visit
  repo: RepoAccess
  subject: keyof typeof repoSubjects
  children: Child
}

/** The same of a repository. */
export function RepoSettingsFrame({ visit, repo, subject, children }: RepoSettingsProps) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/settings`
  return (
    <RepoFrame visit={visit} repo={repo} tab="settings" title={`Settings: ${repoSubjects[subject][0]}`}>
      <nav class="tabs" aria-label="Settings">
        {Object.entries(repoSubjects).map(([name, [label, path]]) => (
          <a href={address + path} aria-current={name === subject ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </RepoFrame>
  )
}
