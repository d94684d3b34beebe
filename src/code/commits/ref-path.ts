import type { RepoAccess, RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { MAX_PATH_LENGTH } from '#git/limits.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import { findRenamedBranch, findRevision, getCommitRevision } from '#repositories/refs/index.ts'

/** A place in a repository as pages' addresses have it: `branch/main/doc/a.md`. */
export interface RefPath {
  kind: 'branch' | 'tag' | 'commit'
  /** The branch's or tag's name, or the commit's id as it was given. */
  name: string
  /** Below the root, without slashes at the ends; '' is the root. */
  path: string
  commit: Oid
}

/** Names of refs with more slashes are found by nobody. */
const MAX_DEPTH = 32
const prefixes = { branch: HEADS, tag: TAGS, commit: '' }

export function isRefKind(text: string): text is RefPath['kind'] {
  return Object.hasOwn(prefixes, text)
}

/**
 * Tells where the name ends and the path begins: no two refs exist of which one begins with the other and a slash. As in Gitea, `HEAD` means the
 * default branch where no branch has that name, and a renamed branch is found by the name it had before.
 * @param rest what follows the kind in the address, still encoded
 * @throws NotFound also for a path that is longer than lists take: it stands before the name of each entry
 */
export async function getRefPath(context: Pick<Context, 'db' | 'git'>, { row }: RepoAccess, kind: string, rest: string): Promise<RefPath> {
  if (!isRefKind(kind)) throw new NotFound()
  const parts = decodePath(rest)
    .split('/')
    .filter((part) => part !== '')
  if (parts.includes('..') || parts.includes('.')) throw new NotFound()
  const find = (nameOf: (text: string) => string | undefined) => {
    for (let n = 1; n <= Math.min(parts.length, kind === 'commit' ? 1 : MAX_DEPTH); n++) {
      const name = nameOf(parts.slice(0, n).join('/'))
      if (name !== undefined && findRevision(context, row, prefixes[kind] + name)?.kind === kind) return { name, path: parts.slice(n).join('/') }
    }
    return undefined
  }
  const found = find((text) => text) ?? find((text) => otherName(context, row, kind, text))
  if (!found) throw new NotFound(`No ${kind} of this repository matches “${parts.join('/').slice(0, MAX_NAMED)}”.`)
  if (found.path.length > MAX_PATH_LENGTH) throw new NotFound()
  return { kind, ...found, commit: (await getCommitRevision(context, row, prefixes[kind] + found.name)).oid }
}

/** Returns the branch or commit that `HEAD` names, or the present name of a renamed branch. */
function otherName(context: Pick<Context, 'db' | 'git'>, row: RepoRow, kind: RefPath['kind'], text: string): string | undefined {
  if (text === 'HEAD') return { branch: row.default_branch, tag: undefined, commit: findRevision(context, row, text)?.oid }[kind]
  return kind === 'branch' ? findRenamedBranch(context.db, row.id, text) : undefined
}

/** The most characters of an address that an error message repeats. */
const MAX_NAMED = 200

/** Returns the error for a path that does not exist in a ref. */
export function noSuchPath({ kind, name, path }: RefPath): NotFound {
  return new NotFound(`The ${kind} “${name.slice(0, MAX_NAMED)}” has no file “${path.slice(0, MAX_NAMED)}”.`)
}

/** The same for an address that does not say what its ref is: a branch, else a tag, else a commit. @throws NotFound */
export async function getAnyRefPath(context: Pick<Context, 'db' | 'git'>, repo: RepoAccess, rest: string): Promise<RefPath> {
  for (const kind of ['branch', 'tag', 'commit']) {
    try {
      return await getRefPath(context, repo, kind, rest)
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
    }
  }
  throw new NotFound()
}

/** The place at the head of the default branch; undefined when nothing was pushed there. */
export function findDefaultPlace(context: Pick<Context, 'db' | 'git'>, { row }: RepoAccess): RefPath | undefined {
  const found = findRevision(context, row, HEADS + row.default_branch)
  return found && { kind: 'branch', name: row.default_branch, path: '', commit: found.oid }
}
