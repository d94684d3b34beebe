import { accessStore, atLeast, canSeeUser, findVisibleRepo, type RepoAccess, type RepoRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isOid } from '#git/objects/oid.ts'
import type { ObjectReader } from '#git/store/types.ts'
import type { Known } from './job.ts'
import { commitPattern, mentionPattern } from './patterns.ts'

/** As many different ones of a text are looked up; the rest stays text. */
const MAX_NAMES = 200
const MAX_COMMITS = 100
/** Objects of one prefix that are told apart by type. */
const MAX_CANDIDATES = 8

/** The repository a text stands in, when the viewer may read its code; else nothing of it may show in links. */
export function findReadable(context: Context, viewer: Viewer, owner: string, name: string): RepoRow | undefined {
  const found = findVisibleRepo(context, viewer, owner, name)
  return found && canRead(viewer, found) ? found.row : undefined
}

/** A token for other things reads no code, not even whether a commit is there. */
function canRead({ grant }: Viewer, { permission }: RepoAccess): boolean {
  return atLeast(permission.of('code'), 'read') && (grant === undefined || grant.all || grant.levels.repository !== undefined)
}

/** Which of the accounts and commits that a text may mean are there, as far as the viewer may know. */
export function lookUp(context: Context, viewer: Viewer, repo: RepoRow | undefined, text: string): Known {
  const names = distinct(text, mentionPattern(), MAX_NAMES).filter((name) => isVisible(context, viewer, name))
  if (repo === undefined) return { names: new Set(names), commits: new Set() }
  const store = context.git.storeOf(repo.id)
  const commits = distinct(text, commitPattern(), MAX_COMMITS).filter((id) => isCommit(store, id))
  return { names: new Set(names), commits: new Set(commits) }
}

function distinct(text: string, pattern: RegExp, limit: number): string[] {
  const found = new Set<string>()
  for (const [whole, group = whole] of text.matchAll(pattern)) {
    if (found.size >= limit) break
    found.add(group.toLowerCase())
  }
  return [...found]
}

function isVisible(context: Context, viewer: Viewer, name: string): boolean {
  const user = accessStore.findUserByName(context.db, name)
  return user !== undefined && canSeeUser(viewer, user)
}

function isCommit(store: ObjectReader, id: string): boolean {
  const candidates = isOid(id) ? [id] : store.findByPrefix(id, MAX_CANDIDATES)
  return candidates.filter((oid) => store.findHeader(oid)?.type === 'commit').length === 1
}
