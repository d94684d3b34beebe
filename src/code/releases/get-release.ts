import type { RepoAccess, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { maySee } from './rules.ts'
import { findLatest, findRelease, findReleaseByTag, type ReleaseRow } from './store.ts'

interface Asked {
  viewer: Viewer
  repo: RepoAccess
}

/** @throws NotFound for those of other repositories, and for drafts that are not the viewer's to see */
export function getRelease({ db }: Pick<Context, 'db'>, asked: Asked & { params: { id: string } }): ReleaseRow {
  return visibleOrAbsent(asked, findRelease(db, asked.repo.row.id, rowIdIn(asked.params.id)))
}

/** The same by the tag's name. */
export function getReleaseByTag({ db }: Pick<Context, 'db'>, asked: Asked, tag: string): ReleaseRow {
  return visibleOrAbsent(asked, findReleaseByTag(db, asked.repo.row.id, tag))
}

/** The same; where there is no tag `latest`, that is the newest release, as addresses have it that scripts keep for years. */
export function getReleaseByTagOrLatest({ db }: Pick<Context, 'db'>, asked: Asked, tag: string): ReleaseRow {
  const { id } = asked.repo.row
  return visibleOrAbsent(asked, findReleaseByTag(db, id, tag) ?? (tag === 'latest' ? findLatest(db, id) : undefined))
}

export function visibleOrAbsent({ viewer, repo }: Asked, found: ReleaseRow | undefined): ReleaseRow {
  if (!found || !maySee(viewer, repo, found)) throw new NotFound()
  return found
}
