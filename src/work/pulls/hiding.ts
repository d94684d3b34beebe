import { accessStore, type RepoRow } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'

/** How hidden a repository is: 0 for nobody, 1 from who is not signed in, 2 from all but some. */
export function hidingOf(db: Db, repo: Pick<RepoRow, 'owner_id' | 'is_private'>): number {
  if (repo.is_private === 1) return 2
  const owner = accessStore.findUserById(db, repo.owner_id)
  return owner?.visibility === 'public' ? 0 : owner?.visibility === 'limited' ? 1 : 2
}
