import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parseCommit } from '#git/objects/commit.ts'
import { isOid, type Oid } from '#git/objects/oid.ts'
import { parseTag } from '#git/objects/tag.ts'
import { HEADS, isRefName, TAGS } from '#git/refs/names.ts'
import { missing } from '#git/store/rules.ts'
import type { ObjectReader } from '#git/store/types.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { findRef, findRenamedBranch } from '#repositories/refs/index.ts'

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
/** A tag of a tag of a tag… is followed so far. */
const MAX_PEELS = 32

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
export function getCommitRevision(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, text: string): Revision {
  const found = findRevision(context, repo, text)
  const oid = found && peelTo(context.git.storeOf(repo.id), found.oid, 'commit')
  if (!found || !oid) throw new NotFound(`object does not exist [id: ${text.slice(0, 200)}, rel_path: ]`)
  return { ...found, oid }
}

/** The same for what names one commit in a path. @throws Unprocessable for what no name can be; NotFound */
export function getNamedCommit(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, text: string): Oid {
  if (text.length > MAX_REVISION || !isRefName(`refs/${text}`)) throw new Unprocessable(`no valid ref or sha: ${text.slice(0, 200)}`)
  const found = findRevision(context, repo, text)
  const oid = found && peelTo(context.git.storeOf(repo.id), found.oid, 'commit')
  if (!oid) throw new NotFound(`commit doesn't exist: ${text.slice(0, 200)}`)
  return oid
}

/** The tree of the commit, tag or tree that `text` names. @throws NotFound */
export function getTreeOid(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, text: string): Oid {
  const found = findRevision(context, repo, text)
  const oid = found && peelTo(context.git.storeOf(repo.id), found.oid, 'tree')
  if (!oid) throw new NotFound(`sha not found [${text.slice(0, 200)}]`)
  return oid
}

/**
 * Follows tags to what they tag, and a commit to its tree when that is asked for; undefined when that leads to something else.
 * @throws GitError `missing` or `corrupt` when an object on the way is: whoever asked has named something, and the store has lost it
 */
function peelTo(store: ObjectReader, oid: Oid, type: 'commit' | 'tree'): Oid | undefined {
  let at = oid
  for (let steps = 0; steps < MAX_PEELS; steps++) {
    if (type === 'tree' && at === store.format.emptyTree) return at
    const header = store.findHeader(at)
    if (!header) throw missing(at)
    if (header.type === type) return at
    if (header.type === 'tag') at = parseTag(store.get(at, 'tag').data).object
    else if (header.type === 'commit') at = parseCommit(store.get(at, 'commit').data).tree
    else return undefined
  }
  return undefined
}

function findByRef(db: Db, repo: RepoRow, ref: string): Revision | undefined {
  const row = findRef(db, repo.id, ref)
  if (!row) return undefined
  if (ref.startsWith(HEADS)) return { oid: row.oid, kind: 'branch', name: ref.slice(HEADS.length) }
  if (ref.startsWith(TAGS)) return { oid: row.oid, kind: 'tag', name: ref.slice(TAGS.length) }
  return { oid: row.oid, kind: 'commit', name: row.oid }
}

function findByPrefix(store: ObjectReader, text: string): Revision | undefined {
  const prefix = text.toLowerCase()
  if (!/^[0-9a-f]{4,39}$/.test(prefix)) return undefined
  const candidates = store.findByPrefix(prefix, MAX_CANDIDATES)
  const commits = candidates.filter((oid) => store.findHeader(oid)?.type === 'commit')
  const [oid, second] = commits.length > 0 ? commits : candidates
  return oid === undefined || second !== undefined ? undefined : { oid, kind: 'commit', name: oid }
}
