import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/page.ts'
import { nameInAddress, nameOfPath } from './page-names.ts'
import { presentPageMeta, presentWikiCommit } from './view.ts'
import { findFile, findPageFile, getWikiTree, isPlain, type WikiFile, type WikiTree } from './wiki-tree.ts'

const noDetails = { files: false, stat: false }
/** A page, as part of every other page, has to be short. */
const MAX_ASIDE_BYTES = 256 * 1024

/** A page with its place in the wiki. */
export interface FoundPage {
  at: WikiTree
  name: string
  file: WikiFile
}

/** @param raw its name as the address has it. @throws NotFound, also while there is no wiki */
export async function getPage(context: Pick<Context, 'config' | 'db' | 'git'>, { row }: RepoAccess, raw: string): Promise<FoundPage> {
  const at = await getWikiTree(context, row.id)
  const name = nameInAddress(raw)
  const file = await findPageFile(context, at, name, context.config.api.DEFAULT_MAX_BLOB_SIZE)
  const known = file && nameOfPath(file.path)
  if (!file || known === undefined) throw new NotFound()
  return { at, name: known, file }
}

export async function presentPage(context: Context, repo: RepoAccess, raw: string) {
  const { at, name, file } = await getPage(context, repo, raw)
  const [{ last, count }, sidebar, footer] = await Promise.all([
    historyOf(context, at, file.path),
    readAside(context, at, '_Sidebar'),
    readAside(context, at, '_Footer'),
  ])
  return {
    ...presentPageMeta(context, repo, name, last),
    content_base64: base64(file.data),
    commit_count: count,
    sidebar: base64(sidebar),
    footer: base64(footer),
  }
}

/** What stands beside every page; undefined when there is no such page. */
export async function readAside(context: Pick<Context, 'git'>, at: WikiTree, name: '_Sidebar' | '_Footer'): Promise<Uint8Array | undefined> {
  return (await findFile(context, at, `${name}.md`, MAX_ASIDE_BYTES))?.data
}

async function historyOf(context: Pick<Context, 'git'>, { wiki, tip }: WikiTree, path: string): Promise<{ last: CommitDetails; count: number }> {
  const range = { include: [tip], exclude: [], path }
  const [[last], count] = await Promise.all([
    context.git.run('listCommits', wiki.id, { range, skip: 0, limit: 1, details: noDetails }),
    context.git.run('countCommits', wiki.id, { range }),
  ])
  if (!last) throw new NotFound()
  return { last, count }
}

/** One page of the entries there are, of which those that are pages are shown. */
export async function listPages(context: Pick<Context, 'db' | 'git'>, { row }: RepoAccess, page: Page) {
  const at = await getWikiTree(context, row.id)
  const options = { recursive: false, offset: page.offset, limit: page.limit }
  const { entries, total } = await context.git.run('listTree', at.wiki.id, { tree: at.tree, options })
  const files = entries.flatMap(({ path, mode }) => {
    const name = isPlain(mode) ? nameOfPath(path) : undefined
    return name === undefined ? [] : [{ path, name }]
  })
  const names = files.map(({ path }) => path)
  const last: Map<string, CommitDetails> = names.length === 0 ? new Map() : await context.git.run('lastCommits', at.wiki.id, { tip: at.tip, dir: '', names })
  const pages = files.flatMap(({ path, name }) => {
    const commit = last.get(path)
    return commit ? [{ name, commit }] : []
  })
  return { pages, total }
}

export async function presentPages(context: Pick<Context, 'db' | 'git' | 'rootUrl'>, repo: RepoAccess, page: Page) {
  const { pages, total } = await listPages(context, repo, page)
  return { pages: pages.map(({ name, commit }) => presentPageMeta(context, repo, name, commit)), total }
}

/** The commits that changed a page, the newest first. */
export async function listRevisions(context: Pick<Context, 'git'>, { at, file }: FoundPage, page: Page): Promise<{ commits: CommitDetails[]; total: number }> {
  const range = { include: [at.tip], exclude: [], path: file.path }
  const [commits, total] = await Promise.all([
    context.git.run('listCommits', at.wiki.id, { range, skip: page.offset, limit: page.limit, details: noDetails }),
    context.git.run('countCommits', at.wiki.id, { range }),
  ])
  return { commits, total }
}

export async function presentRevisions(context: Pick<Context, 'config' | 'db' | 'git'>, repo: RepoAccess, raw: string, page: Page) {
  const { commits, total } = await listRevisions(context, await getPage(context, repo, raw), page)
  return { commits: commits.map(presentWikiCommit), count: total }
}

function base64(data: Uint8Array | undefined): string {
  return data === undefined ? '' : Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64')
}
