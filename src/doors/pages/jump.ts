import { atLeast, findVisibleRepo, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { listRefs } from '#repositories/refs/index.ts'
import { type IconName, type Visit, waysToSettings } from '#web/index.ts'
import { findReadable } from '#work/issues/index.ts'
import { findFilesSoon } from './jump-files.ts'
import { type FoundRepo, findAccountsFrom, findRepos, ownRepos, reposFrom } from './jump-store.ts'

/** Somewhere to go. */
export interface Way {
  icon: IconName
  text: string
  /** What it is, where the text does not say so. */
  note?: string
  href: string
}

const MOST_REPOS = 8
const MOST_ACCOUNTS = 5
const MOST_REFS = 5
const MOST_PAGES = 5

/**
 * Where somebody may want to go who typed this: `owner/repo#12`, `#12` in the repository where they are, else the beginning of a name, or
 * words of a page's title. Best guesses come first; a search is always among them.
 */
export async function findWays(
  context: Pick<Context, 'db' | 'git' | 'log' | 'services'>,
  visit: Visit,
  typed: string,
  here: RepoAccess | undefined,
): Promise<Way[]> {
  const words = typed.trim().toLowerCase()
  if (words === '') return [...(await reposOf(context, visit, '')), ...(here ? pagesOf(visit, here) : [])]
  return [
    ...issueOf(context, visit, words, here),
    ...(await reposOf(context, visit, words)),
    ...(here ? refsOf(context, visit, typed.trim(), here) : []),
    ...(here ? await filesOf(context, visit, words, here) : []),
    ...accountsOf(context, visit, words),
    ...fitting([...(here ? pagesOf(visit, here) : []), ...ownPages(visit), ...settingsOf(visit, here)], words),
    ...searches(visit, typed.trim(), here),
  ]
}

/** The repository in which somebody types, `owner/name`; undefined where there is none that they see. */
export function repoHere({ db }: Pick<Context, 'db'>, { viewer }: Visit, name: string | undefined): RepoAccess | undefined {
  const [owner, repo, more] = name?.split('/') ?? []
  return owner && repo && more === undefined ? findVisibleRepo(db, viewer, owner, repo) : undefined
}

function issueOf({ db }: Pick<Context, 'db'>, visit: Visit, words: string, here: RepoAccess | undefined): Way[] {
  const [, name, number] = /^(?:([\w.-]+\/[\w.-]+)#|#?)([1-9]\d{0,9})$/.exec(words) ?? []
  const repo = name === undefined ? here : repoHere({ db }, visit, name)
  const issue = repo && number !== undefined ? findReadable(db, repo, Number(number)) : undefined
  if (!repo || !issue) return []
  const kind = issue.is_pull === 1 ? 'pulls' : 'issues'
  return [
    {
      icon: issue.is_pull === 1 ? 'git-pull-request' : issue.closed_at === null ? 'issue-opened' : 'issue-closed',
      text: issue.title,
      note: `${repo.owner.name}/${repo.row.name}#${issue.number}`,
      href: visit.to`/${repo.owner.name}/${repo.row.name}/${kind}/${issue.number}`,
    },
  ]
}

async function reposOf({ db }: Pick<Context, 'db'>, visit: Visit, words: string): Promise<Way[]> {
  const { viewer } = visit
  const [first = '', second] = words.split('/')
  const isPath = second !== undefined
  const name = isPath ? second : first
  const rows = await findRepos(db, viewer, {
    ...(viewer.user && !isPath ? { own: ownRepos(viewer, viewer.user.id, words, MOST_REPOS) } : {}),
    ...(words === '' ? {} : { others: reposFrom(viewer, name, isPath ? first : undefined, MOST_REPOS) }),
  })
  const found = [...new Map(rows.map((row) => [row.id, row])).values()]
  return found
    .sort((a, b) => fitOf(a, name) - fitOf(b, name))
    .slice(0, MOST_REPOS)
    .map((row) => wayTo(visit, row))
}

/** The whole name, its beginning, or somewhere in it. */
function fitOf({ lower_name }: FoundRepo, words: string): number {
  return lower_name === words ? 0 : lower_name.startsWith(words) ? 1 : 2
}

function wayTo(visit: Visit, { owner_name, name, is_private }: FoundRepo): Way {
  return { icon: is_private === 1 ? 'lock' : 'repo', text: `${owner_name}/${name}`, href: visit.to`/${owner_name}/${name}` }
}

function accountsOf({ db }: Pick<Context, 'db'>, visit: Visit, words: string): Way[] {
  if (!/^[\w.-]+$/.test(words)) return []
  return findAccountsFrom(db, visit.viewer, words, MOST_ACCOUNTS).map(({ kind, name, full_name }) => ({
    icon: kind === 'organization' ? 'organization' : 'person',
    text: name,
    ...(full_name === '' ? {} : { note: full_name }),
    href: visit.to`/${name}`,
  }))
}

/** Branches and tags whose names begin so. */
function refsOf({ db }: Pick<Context, 'db'>, visit: Visit, typed: string, { owner, row, permission }: RepoAccess): Way[] {
  if (!atLeast(permission.of('code'), 'read')) return []
  const kinds = [
    ['refs/heads/', 'branch', 'git-branch'],
    ['refs/tags/', 'tag', 'tag'],
  ] as const
  return kinds.flatMap(([prefix, kind, icon]) =>
    listRefs(db, row.id, { prefix: prefix + typed, limit: MOST_REFS }).map(({ name }) => {
      const short = name.slice(prefix.length)
      return { icon, text: short, note: `${kind} in ${row.name}`, href: visit.to`/${owner.name}/${row.name}/src/${kind}/${short}` }
    }),
  )
}

async function filesOf(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, visit: Visit, words: string, here: RepoAccess): Promise<Way[]> {
  const { owner, row } = here
  const paths = await findFilesSoon(context, here, words)
  return paths.map((path) => ({
    icon: 'file',
    text: path,
    note: row.name,
    href: visit.to`/${owner.name}/${row.name}/src/branch/${row.default_branch}/${path}`,
  }))
}

function pagesOf(visit: Visit, { owner, row, permission }: RepoAccess): Way[] {
  const pages = [
    ['code', 'code', 'Code', ''],
    ['issues', 'issue-opened', 'Issues', '/issues'],
    ['issues', 'plus', 'New issue', '/issues/new'],
    ['pulls', 'git-pull-request', 'Pull requests', '/pulls'],
    ['code', 'git-compare', 'New pull request', '/compare'],
    ['code', 'history', 'Commits', '/commits'],
    ['code', 'git-branch', 'Branches', '/branches'],
    ['code', 'tag', 'Tags', '/tags'],
    ['releases', 'package', 'Releases', '/releases'],
    ['wiki', 'book', 'Wiki', '/wiki'],
    ['issues', 'tag', 'Labels', '/labels'],
    ['issues', 'milestone', 'Milestones', '/milestones'],
  ] as const
  const shown = pages.filter(([unit]) => atLeast(permission.of(unit), 'read'))
  return shown.map(([, icon, text, path]) => {
    const end = path === '/commits' ? `/commits/branch/${row.default_branch}` : path
    return { icon, text, note: `${owner.name}/${row.name}`, href: visit.to`/${owner.name}/${row.name}${end}` }
  })
}

function ownPages(visit: Visit): Way[] {
  if (visit.viewer.user === undefined) return []
  return [
    { icon: 'bell', text: 'Notifications', href: visit.to`/notifications` },
    { icon: 'issue-opened', text: 'Your issues', href: visit.to`/issues` },
    { icon: 'git-pull-request', text: 'Your pull requests', href: visit.to`/pulls` },
    { icon: 'plus', text: 'New repository', href: visit.to`/repo/create` },
    { icon: 'plus', text: 'New organization', href: visit.to`/org/create` },
  ]
}

function settingsOf(visit: Visit, here: RepoAccess | undefined): Way[] {
  return waysToSettings(visit, here).map((way) => ({ icon: 'sliders', ...way }))
}

function fitting(ways: readonly Way[], words: string): Way[] {
  const parts = words.split(/\s+/)
  return ways.filter(({ text }) => parts.every((part) => text.toLowerCase().includes(part))).slice(0, MOST_PAGES)
}

function searches(visit: Visit, typed: string, here: RepoAccess | undefined): Way[] {
  const q = encodeURIComponent(typed)
  const ways: Way[] = [{ icon: 'search', text: `Search all repositories for “${typed}”`, href: `${visit.to`/explore/repos`}?q=${q}` }]
  if (!here || !atLeast(here.permission.of('issues'), 'read')) return ways
  const { owner, row } = here
  return [{ icon: 'search', text: `Search issues in ${row.name} for “${typed}”`, href: `${visit.to`/${owner.name}/${row.name}/issues`}?q=${q}` }, ...ways]
}
