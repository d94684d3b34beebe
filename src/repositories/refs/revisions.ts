import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isOid, type Oid } from '#git/objects/oid.ts'
import { HEADS, isRefName, TAGS } from '#git/refs/names.ts'
import type { ObjectIndex } from '#git/store/types.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { findRenamedBranch } from './renamed-store.ts'
import { findRef } from './store.ts'

/** What a text names in a repository. */
export interface Revision {
  oid: Oid
  kind: 'branch' | 'tag' | 'commit'
  /** Of the branch or tag; the full id for a commit. */
  name: string
}

/** Longer ones name nothing. */
const MAX_REVISION = 1024
/** As many objects of the same prefix are told apart by type. */
const MAX_CANDIDATES = 16

/**
 * What `text` names: a full object id, `HEAD`, a full ref name, a branch, a tag, a branch by the name it had before, or a commit by
 * the first digits of its id, in this order. It is only ever compared with names; no revision syntax is understood. The object need not be a commit.
 */
export function findRevision(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, text: string): Revision | undefined {
  if (text === '' || text.length > MAX_REVISION) return undefined
  const store = context.git.storeOf(repo.id)
  if (isOid(text)) return store.findHeader(text) ? { oid: text, kind: 'commit', name: text } : undefined
  if (text === 'HEAD') return findByRef(context.db, repo, HEADS + repo.default_branch)
  for (const ref of text.startsWith('refs/') ? [text] : [HEADS + text, TAGS + text, `refs/${text}`]) {
    const found = findByRef(context.db, repo, ref)
    if (found) return found
  }
  const renamed = findRenamedBranch(context.db, repo.id, text)
  return (renamed === undefined ? undefined : findByRef(context.db, repo, HEADS + renamed)) ?? findByPrefix(store, text)
}

/** The commit that `text` names, through tags. @throws NotFound */
export async function getCommitRevision(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, text: string): Promise<Revision> {
  const found = findRevision(context, repo, text)
  const oid = found && (await context.git.look('peel', repo.id, { oid: found.oid, type: 'commit' }))
  if (!found || !oid) throw new NotFound(`object does not exist [id: ${text.slice(0, 200)}, rel_path: ]`)
  return { ...found, oid }
}

/** The same for what names one commit in a path. @throws Unprocessable for what no name can be; NotFound */
export async function getCommitByRef(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, text: string): Promise<Oid> {
  if (text.length > MAX_REVISION || !isRefName(`refs/${text}`)) throw new Unprocessable(`no valid ref or sha: ${text.slice(0, 200)}`)
  const found = findRevision(context, repo, text)
  const oid = found && (await context.git.look('peel', repo.id, { oid: found.oid, type: 'commit' }))
  if (!oid) throw new NotFound(`commit doesn't exist: ${text.slice(0, 200)}`)
  return oid
}

function findByRef(db: Db, repo: RepoRow, ref: string): Revision | undefined {
  const row = findRef(db, repo.id, ref)
  if (!row) return undefined
  if (ref.startsWith(HEADS)) return { oid: row.oid, kind: 'branch', name: ref.slice(HEADS.length) }
  if (ref.startsWith(TAGS)) return { oid: row.oid, kind: 'tag', name: ref.slice(TAGS.length) }
  return { oid: row.oid, kind: 'commit', name: row.oid }
}

function findByPrefix(store: ObjectIndex, text: string): Revision | undefined {
  const prefix = text.toLowerCase()
  if (!/^[0-9a-f]{4,39}$/.test(prefix)) return undefined
  const candidates = store.findByPrefix(prefix, MAX_CANDIDATES)
  const commits = candidates.filter((oid) => store.findHeader(oid)?.type === 'commit')
  const [oid, second] = commits.length > 0 ? commits : candidates
  return oid === undefined || second !== undefined ? undefined : { oid, kind: 'commit', name: oid }
}
