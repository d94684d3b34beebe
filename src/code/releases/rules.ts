import { atLeast, holdsScope, type RepoAccess, type Viewer } from '#access/index.ts'
import type { ReleaseRow } from './store.ts'

/** Drafts are for those who may publish them, with a token that may write. */
export function maySeeDrafts(viewer: Viewer, repo: RepoAccess): boolean {
  return viewer.user !== undefined && atLeast(repo.permission.of('releases'), 'write') && holdsScope(viewer, ['repository'], 'write')
}

export function maySee(viewer: Viewer, repo: RepoAccess, release: ReleaseRow): boolean {
  return release.is_draft === 0 || maySeeDrafts(viewer, repo)
}
