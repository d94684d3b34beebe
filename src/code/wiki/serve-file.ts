import type { RepoAccess } from '#access/index.ts'
import { serveRaw } from '#code/contents/index.ts'
import type { Context } from '#context.ts'
import type { Connections } from '#kernel/answers/paced-stream.ts'
import { decodePath } from '#kernel/http.ts'
import { nameInAddress } from './page-names.ts'
import { findPageFile, getWikiTree } from './wiki-tree.ts'

/** A file of the wiki by its path, or a page by its name. @throws NotFound */
export async function serveWikiFile(context: Context, repo: RepoAccess, raw: string, request: Request, server: Connections): Promise<Response> {
  const at = await getWikiTree(context, repo.row.id)
  const page = await findPageFile(context, at, nameInAddress(raw), 0)
  return serveRaw(context, { ...repo, row: at.wiki }, { path: page?.path ?? decodePath(raw), ref: at.tip, request, server })
}
