import { accessTo, atLeast, holdsScope, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { maySee } from './rules.ts'
import { type AssetRow, findAssetByUuid, findLatest, findRelease, findReleaseByTag, findReleaseOf, type ReleaseRow } from './store.ts'

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

/** The release of a tag that the viewer may see, if there is one. */
export function findVisibleByTag({ db }: Pick<Context, 'db'>, { viewer, repo }: Asked, tag: string): ReleaseRow | undefined {
  const found = findReleaseByTag(db, repo.row.id, tag)
  return found && maySee(viewer, repo, found) ? found : undefined
}

export function visibleOrAbsent({ viewer, repo }: Asked, found: ReleaseRow | undefined): ReleaseRow {
  if (!found || !maySee(viewer, repo, found)) throw new NotFound()
  return found
}

/** A file of a release by its id alone; undefined when there is none that the viewer may see. */
export function findVisibleAsset({ db }: Pick<Context, 'db'>, viewer: Viewer, uuid: string): AssetRow | undefined {
  const asset = findAssetByUuid(db, uuid)
  const release = asset && findReleaseOf(db, asset)
  const repo = release && accessTo(db, viewer, release.repo_id)
  if (!repo || !atLeast(repo.permission.of('releases'), 'read') || !holdsScope(viewer, ['repository'], 'read')) return undefined
  return maySee(viewer, repo, release) ? asset : undefined
}
