import { atLeast, type RepoAccess } from '#access/index.ts'
import { findDefaultPlace, MAX_WHOLE_BYTES, type RefPath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { isBinary } from '#git/diff/line-stats.ts'
import { parseCommit } from '#git/objects/commit.ts'
import type { Oid } from '#git/objects/oid.ts'
import { NotFound } from '#kernel/errors.ts'
import { Documents } from '#markdown/index.ts'
import { renderOffer } from '#repositories/transfers/index.ts'
import { answerPage, escapeHtml, type Html, raw, seeOther, type Visit } from '#web/index.ts'
import { indexing, isMarkdown, renderDocument } from './show-document.tsx'
import { showTree, type TreeQuery } from './show-tree.tsx'
import { EmptyPage, FilePage, type FileView, NoCodePage } from './templates.tsx'
import { contentType } from './view.ts'

/** Files with more lines are only linked. */
const MAX_LINES = 20_000
const TREE = 0o040000
const picture = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i

/** The default branch's root, or how to push something there. */
export async function showHome(context: Context, visit: Visit, repo: RepoAccess, query: TreeQuery = {}): Promise<Response> {
  if (!atLeast(repo.permission.of('code'), 'read')) return answerPage(<NoCodePage visit={visit} repo={repo} />)
  const place = findDefaultPlace(context, repo)
  const offer = renderOffer(context, visit, repo)
  if (!place) return answerPage(<EmptyPage visit={visit} repo={repo} offer={offer} />)
  return showTree(context, visit, repo, place, treeOf(context, repo, place), query, offer)
}

/** A directory or a file. @throws NotFound */
export async function showPlace(context: Context, visit: Visit, repo: RepoAccess, place: RefPath, query: TreeQuery): Promise<Response> {
  const found = await context.git.run('openPath', repo.row.id, { tree: treeOf(context, repo, place), path: place.path, maxBytes: MAX_WHOLE_BYTES })
  if (!found) throw new NotFound()
  const type = contentType(found.mode)
  if (type === 'submodule') return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}/src/${place.kind}/${place.name}`)
  if (found.mode === TREE) return showTree(context, visit, repo, place, found.oid, query)
  const view = await viewOf(context, visit, repo, place, found.data)
  return answerPage(<FilePage visit={visit} repo={repo} place={place} size={found.size} view={view} />, 200, indexing(visit, repo, place))
}

function treeOf(context: Context, { row }: RepoAccess, { commit }: RefPath): Oid {
  return parseCommit(context.git.storeOf(row.id).get(commit, 'commit').data).tree
}

/** How a file is shown: rendered, as a picture, as lines, or not at all. */
async function viewOf(context: Context, visit: Visit, repo: RepoAccess, place: RefPath, data: Uint8Array | undefined): Promise<FileView> {
  if (picture.test(place.path)) return { kind: 'picture' }
  if (data === undefined) return { kind: 'hidden', why: 'This file is too large to be shown here.' }
  if (isBinary(data)) return { kind: 'hidden', why: 'This file is not text.' }
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8')
  const document = isMarkdown(place.path) ? await renderDocument(context, visit, repo, place, place.path, text) : undefined
  const lines = text.replace(/\r?\n$/, '').split('\n')
  if (lines.length > MAX_LINES) return { kind: 'hidden', why: 'This file has too many lines to be shown here.' }
  const coloured = await context.services.get(Documents).highlight(visit.viewer, text, place.path)
  return { kind: 'lines', lines: renderLines(lines, coloured), count: lines.length, document }
}

/** Thousands of lines are put together as escaped strings, far faster than as elements. */
function renderLines(lines: readonly string[], coloured: readonly string[] | undefined): Html {
  const rows = lines.map((line, i) => {
    const number = i + 1
    return `<tr id="L${number}"><td class="n"><a href="#L${number}">${number}</a></td><td>${coloured?.[i] ?? escapeHtml(line)}</td></tr>`
  })
  return raw(rows.join(''))
}
