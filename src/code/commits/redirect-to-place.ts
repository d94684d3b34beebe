import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath, queryOf } from '#kernel/http.ts'
import { seeOther, type Visit } from '#web/index.ts'
import { findDefaultPlace, getAnyRefPath, type RefPath } from './ref-path.ts'

/**
 * Redirects an address without the kind of its ref: to the branch, tag or commit that it begins with, else to the path on the default branch.
 * Source: Gitea's `getRefNameLegacy`.
 * @param rest the ref and the path, as the address has them
 * @throws NotFound when it names no ref, and nothing on the default branch
 */
export async function redirectToPlace(
  context: Pick<Context, 'db' | 'git'>,
  visit: Visit,
  repo: RepoAccess,
  view: 'src' | 'raw' | 'media' | 'blame' | 'commits',
  rest: string,
): Promise<Response> {
  const { kind, name, path } = await getAnyRefPath(context, repo, rest).catch((error) => {
    if (!(error instanceof NotFound)) throw error
    return placeOnDefaultBranch(context, repo, decodePath(rest))
  })
  return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}/${view}/${kind}/${name}/${path}` + queryOf(visit.path))
}

async function placeOnDefaultBranch(context: Pick<Context, 'db' | 'git'>, repo: RepoAccess, path: string): Promise<RefPath> {
  const place = findDefaultPlace(context, repo)
  if (!place) throw new NotFound()
  const { tree } = await context.git.look('links', repo.row.id, { oid: place.commit })
  if (path !== '' && !(await context.git.run('openPath', repo.row.id, { tree, path, maxBytes: 0 }))) throw new NotFound()
  return { ...place, path }
}
