import { accessTo, atLeast, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'

/** Where the branches of a repository are asked to be merged: a fork's in what it was forked from, as far as the viewer may ask there; others at home. */
export function pullBaseOf(db: Db, viewer: Viewer, repo: RepoAccess): RepoAccess {
  const base = repo.row.fork_of === null ? undefined : accessTo(db, viewer, repo.row.fork_of)
  const takesPulls = base && base.row.archived_at === null && base.row.is_empty === 0 && atLeast(base.permission.of('code'), 'read')
  return takesPulls && atLeast(base.permission.of('pulls'), 'read') ? base : repo
}

/** What a branch has over the default branch of where it is asked to be merged, as addresses of comparisons name it. */
export function betweenFor(base: RepoAccess, repo: RepoAccess, branch: string): string {
  const head = base.row.id === repo.row.id ? branch : `${repo.owner.name}/${repo.row.name}:${branch}`
  return `${base.row.default_branch}...${head}`
}
