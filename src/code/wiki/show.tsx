import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { decodePath } from '#kernel/http.ts'
import { pageOfSize } from '#kernel/page.ts'
import { Documents } from '#markdown/index.ts'
import { answerPage, type Html, raw as rawHtml, seeOther, type Visit } from '#web/index.ts'
import { nameInAddress, titleOf } from './page-names.ts'
import { getPage, listPages, listRevisions, readAside } from './read-pages.ts'
import { EmptyWikiPage, ListPage, NoWikiPage, ReadPage, RevisionsPage } from './templates.tsx'
import { findFile, findPageFile, findWikiTree } from './wiki-tree.ts'

const PAGE_SIZE = 100
const REVISIONS = 50
const HOME = 'Home'
const MAX_PAGE_BYTES = 1024 * 1024

type Query = Record<string, string | undefined>

/** A page with what stands beside all pages. @param address the page's name as the address has it */
export async function showPage(context: Pick<Context, 'db' | 'git' | 'services'>, visit: Visit, repo: RepoAccess, address: string): Promise<Response> {
  const at = await findWikiTree(context, repo.row.id)
  const name = nameInAddress(address)
  const file = at && (await findPageFile(context, at, name, MAX_PAGE_BYTES))
  if (!file && name === HOME) return answerPage(<EmptyWikiPage visit={visit} repo={repo} hasPages={at !== undefined} />)
  if (!file) {
    // Pages link to the pictures and papers that lie beside them, and to pages that are still to be written.
    const path = decodePath(address)
    if (!at || !(await findFile(context, at, path, 0))) return answerPage(<NoWikiPage visit={visit} repo={repo} name={name} />, 404)
    return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}/wiki/raw/${path}`)
  }
  const render = (data: Uint8Array | undefined, within?: string) => renderPage(context, visit, repo, data, within)
  const [body, sidebar, footer] = await Promise.all([
    render(file.data),
    readAside(context, at, '_Sidebar').then((data) => data && render(data, 'sidebar')),
    readAside(context, at, '_Footer').then((data) => data && render(data, 'footer')),
  ])
  return answerPage(<ReadPage visit={visit} repo={repo} name={name} body={body} sidebar={sidebar} footer={footer} />)
}

export async function showList(context: Pick<Context, 'db' | 'git'>, visit: Visit, repo: RepoAccess, query: Query): Promise<Response> {
  const page = pageOfSize(query.page, PAGE_SIZE)
  const { pages, total } = await listPages(context, repo, page)
  const shown = pages.filter(({ name }) => name !== '_Sidebar' && name !== '_Footer')
  return answerPage(<ListPage visit={visit} repo={repo} pages={shown} page={page} total={total} />)
}

export async function showRevisions(
  context: Pick<Context, 'config' | 'db' | 'git'>,
  visit: Visit,
  repo: RepoAccess,
  address: string,
  query: Query,
): Promise<Response> {
  const found = await getPage(context, repo, address)
  const page = pageOfSize(query.page, REVISIONS)
  const { commits, total } = await listRevisions(context, found, page)
  return answerPage(<RevisionsPage visit={visit} repo={repo} name={found.name} title={titleOf(found.name)} commits={commits} page={page} total={total} />)
}

/** What is too large, or takes too long, is shown as it is, or not at all. */
async function renderPage(context: Pick<Context, 'services'>, visit: Visit, repo: RepoAccess, data: Uint8Array | undefined, within?: string): Promise<Html> {
  if (data === undefined) return <p class="faint">This page is too large to display.</p>
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8')
  return rawHtml(await context.services.get(Documents).renderWiki(visit, repo, text, within))
}
