import { atLeast, type RepoAccess } from '#access/index.ts'
import { findDefaultPlace, MAX_WHOLE_BYTES, noSuchPath, type RefPath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { renderOffer } from '#repositories/transfers/index.ts'
import { answerPage, type Visit } from '#web/index.ts'
import { findDeletedFile, showDeletedFile } from './deleted-file.tsx'
import { renderRecentPushes } from './recent-pushes.tsx'
import { type FileQuery, showFile, showSubmodule } from './show-file.tsx'
import { showTree, type TreeQuery } from './show-tree.tsx'
import { EmptyPage, NoCodePage } from './templates.tsx'
import { contentType } from './view.ts'

const TREE = 0o040000

/** The default branch's root, or how to push something there. */
export async function showHome(context: Context, visit: Visit, repo: RepoAccess, query: TreeQuery = {}): Promise<Response> {
  if (!atLeast(repo.permission.of('code'), 'read')) return answerPage(<NoCodePage visit={visit} repo={repo} />)
  const place = findDefaultPlace(context, repo)
  const offer = renderOffer(context, visit, repo)
  if (!place) return answerPage(<EmptyPage visit={visit} repo={repo} offer={offer} />)
  const offers = (
    <>
      {offer}
      {renderRecentPushes(context, visit, repo)}
    </>
  )
  return showTree(context, visit, repo, place, await treeOf(context, repo, place), query, offers)
}

/** A directory or a file. @throws NotFound */
export async function showPlace(context: Context, visit: Visit, repo: RepoAccess, place: RefPath, query: TreeQuery & FileQuery): Promise<Response> {
  const tree = await treeOf(context, repo, place)
  const found = await context.git.run('openPath', repo.row.id, { tree, path: place.path, maxBytes: MAX_WHOLE_BYTES })
  if (!found) {
    const deleted = place.path === '' ? undefined : await findDeletedFile(context, repo.row.id, place.commit, place.path)
    if (!deleted) throw noSuchPath(place)
    return showDeletedFile(context, { visit, repo, place, deleted })
  }
  if (found.mode === TREE) return showTree(context, visit, repo, place, found.oid, query)
  const at = { visit, repo, place }
  return contentType(found.mode) === 'submodule' ? showSubmodule(context, at, tree, found.oid) : showFile(context, at, tree, found, query)
}

async function treeOf({ git }: Pick<Context, 'git'>, { row }: RepoAccess, { commit }: RefPath): Promise<Oid> {
  return (await git.look('links', row.id, { oid: commit })).tree
}
