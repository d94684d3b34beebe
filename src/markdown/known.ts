import type { RepoRow, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isOid } from '#git/objects/oid.ts'
import type { ObjectReader } from '#git/store/types.ts'
import type { Known } from './job.ts'
import { commitPattern, mentionPattern } from './patterns.ts'
import { mayMention } from './rules.ts'

/** As many different ones of a text are looked up; the rest stays text. */
const MAX_NAMES = 200
const MAX_COMMITS = 100
/** Objects of one prefix that are told apart by type. */
const MAX_CANDIDATES = 8

/** Which of the accounts and commits that a text may mean are there, as far as the viewer may know. */
export function lookUp(context: Pick<Context, 'db' | 'git'>, viewer: Viewer, repo: RepoRow | undefined, text: string): Known {
  const names = distinct(text, mentionPattern(), MAX_NAMES).filter((name) => mayMention(context.db, viewer, name))
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

function isCommit(store: ObjectReader, id: string): boolean {
  const candidates = isOid(id) ? [id] : store.findByPrefix(id, MAX_CANDIDATES)
  return candidates.filter((oid) => store.findHeader(oid)?.type === 'commit').length === 1
}
