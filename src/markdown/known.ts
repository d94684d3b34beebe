import { followRepo, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isOid } from '#git/objects/oid.ts'
import type { ObjectIndex } from '#git/store/types.ts'
import type { Known } from './job.ts'
import { addressedRepo, commitPattern, mentionPattern, referencePattern, repoPattern, teamPattern } from './patterns.ts'
import { mayMention, mayMentionTeam, mayReadCode, mayReadIssues } from './rules.ts'

/** As many different ones of a text are looked up; the rest stays text. */
const MAX_NAMES = 200
const MAX_COMMITS = 100
const MAX_REPOS = 100
/** As many references are looked at. */
const MAX_REFERENCES = 2000
/** Of each kind so many are told apart: a text can have the same a hundred thousand times. */
const MAX_FOUND = 5000
/** Objects of one prefix that are told apart by type. */
const MAX_CANDIDATES = 8

interface Sought {
  text: string
  /** `owner/name` of the repository that the text is said to stand in. */
  home: string | undefined
  /** As the addresses in the text begin that are this server's. */
  rootUrl: string
  /** Whether it matters that an issue is there: programs get all references as links, as they do of Gitea. */
  mindsAbsent?: boolean
}

/** Which of the accounts, commits and repositories that a text may mean are there, as far as the viewer may know. */
export function lookUp({ db, git }: Pick<Context, 'db' | 'git'>, viewer: Viewer, { home, text, rootUrl, mindsAbsent = false }: Sought): Known {
  const names = distinct(text, mentionPattern(), MAX_NAMES).filter((name) => mayMention(db, viewer, name))
  const repos = new Map<string, RepoAccess>()
  for (const path of pathsIn(text, home, rootUrl)) {
    const [owner = '', name = ''] = path.split('/')
    const found = followRepo(db, viewer, owner, name)
    if (found) repos.set(path, found)
  }
  const pathsWhere = (may: typeof mayReadCode) => new Set([...repos].filter(([, found]) => may(viewer, found)).map(([path]) => path))
  const histories = pathsWhere(mayReadCode)
  const place = home === undefined ? undefined : repos.get(home.toLowerCase())
  const teams = place ? distinct(text, teamPattern(), MAX_NAMES).filter((path) => mayMentionTeam(db, viewer, place, path)) : []
  const store = place && mayReadCode(viewer, place) ? git.storeOf(place.row.id) : undefined
  const commits = store ? distinct(text, commitPattern(), MAX_COMMITS).filter((id) => isCommit(store, id)) : []
  const absent = mindsAbsent ? absentIn(text, home, repos) : undefined
  return { names: new Set(names), teams: new Set(teams), commits: new Set(commits), trackers: pathsWhere(mayReadIssues), histories, absent }
}

/** What the first references of a text name by numbers that their repositories have not come to yet, as `Known` has it. */
function absentIn(text: string, home: string | undefined, repos: ReadonlyMap<string, RepoAccess>): Record<string, number> | undefined {
  if (!/[#!][1-9]/.test(text)) return undefined
  const absent: Record<string, number> = Object.create(null)
  let left = MAX_REFERENCES
  for (const { groups = {} } of text.matchAll(referencePattern())) {
    if (--left < 0) break
    const path = (groups.repo ?? home)?.toLowerCase() ?? ''
    const number = Number(groups.number)
    if (number > (repos.get(path)?.row.last_issue_number ?? Infinity)) absent[path] = Math.min(number, absent[path] ?? Infinity)
  }
  return absent
}

/** In lower case, those of references before those of addresses. */
function pathsIn(text: string, home: string | undefined, rootUrl: string): Set<string> {
  const paths = new Set([...(home === undefined ? [] : [home.toLowerCase()]), ...distinct(text, repoPattern(), MAX_REPOS)])
  for (let at = text.indexOf(rootUrl); at >= 0 && paths.size < 2 * MAX_REPOS; at = text.indexOf(rootUrl, at)) {
    at += rootUrl.length
    const path = addressedRepo(text.slice(at, at + 160))
    if (path !== undefined) paths.add(path.toLowerCase())
  }
  return paths
}

function distinct(text: string, pattern: RegExp, limit: number): string[] {
  const found = new Set<string>()
  for (const [whole, group = whole] of text.matchAll(pattern).take(MAX_FOUND)) {
    if (found.size >= limit) break
    found.add(group.toLowerCase())
  }
  return [...found]
}

function isCommit(store: ObjectIndex, id: string): boolean {
  const candidates = isOid(id) ? [id] : store.findByPrefix(id, MAX_CANDIDATES)
  return candidates.filter((oid) => store.findHeader(oid)?.type === 'commit').length === 1
}
