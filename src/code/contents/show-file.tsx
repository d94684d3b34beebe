import { decorate, type RepoAccess } from '#access/index.ts'
import { hasOddCharacters, MAX_WHOLE_BYTES, oddCharacters, parseLfsPointer, type RefPath, readTextAt, refChoices } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { FoundPath } from '#git/browse/open-path.ts'
import type { Oid } from '#git/objects/oid.ts'
import { type Page, pageOfSize } from '#kernel/page.ts'
import { Documents } from '#markdown/index.ts'
import { answerPage, escapeHtml, type Html, RepoFrame, raw, seeOther, sizeText, type Visit } from '#web/index.ts'
import { FilePage, type FileView } from './file-templates.tsx'
import { renderFileTree } from './file-tree.tsx'
import { formatLines, type LineRange, lineAnchor, parseLines } from './line-range.ts'
import { Crumbs } from './place-bar.tsx'
import { isSheet, readSheet, Sheet } from './sheet.tsx'
import { indexing, isMarkdown, renderDocument } from './show-document.tsx'
import { submoduleLink } from './submodule-link.ts'
import { readSubmodules } from './submodules.ts'

/** Lines of a page of a file. */
const PAGE_LINES = 5000
/** Of a larger file the beginning is shown, as long as it is not larger still: all of it is read for that. */
const MAX_READ_BYTES = 32 * 1024 * 1024
const picture = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i
const LINK = 0o120000

export interface FileQuery {
  /** `source`: as it is written, and not as it reads. */
  display?: string | undefined
  page?: string | undefined
  /** Lines that are marked: `3-9`. The page is the one that has them. */
  lines?: string | undefined
  /** Lines that somebody asks for in a form: they are led to the address that marks them. */
  pick?: string | undefined
}

interface Place {
  visit: Visit
  repo: RepoAccess
  place: RefPath
}

/** A file or symbolic link as a page. @param root the tree of the commit */
export async function showFile(
  context: Pick<Context, 'db' | 'git' | 'log' | 'services'>,
  at: Place,
  root: Oid,
  found: FoundPath,
  query: FileQuery,
): Promise<Response> {
  const { visit, repo, place } = at
  const picked = parseLines(query.pick)
  if (picked) return seeOther(`${addressOfFile(at)}?lines=${formatLines(picked)}#${lineAnchor(picked)}`)
  const [view, tree] = await Promise.all([
    viewOf(context, at, root, found, query),
    decorate(context, 'the file tree', () => renderFileTree(context, at, root), undefined),
  ])
  const note = found.mode === LINK ? linkNote(at, found) : (pointerNote(found) ?? sourceNote(place.path))
  const props = { size: found.size, mode: found.mode, view, tree, note, choices: refChoices(context, repo) }
  return answerPage(<FilePage {...at} {...props} />, 200, indexing(visit, repo, place))
}

function addressOfFile({ visit, repo: { owner, row }, place }: Place): string {
  return visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${place.path}`
}

/** Where a submodule is, and which commit of it belongs here. */
export async function showSubmodule(context: Pick<Context, 'git' | 'log' | 'services'>, at: Place, root: Oid, oid: Oid): Promise<Response> {
  const { visit, repo, place } = at
  const from = await decorate(context, 'the address of a submodule', async () => (await readSubmodules(context, repo.row.id, root)).get(place.path), undefined)
  const link = from && submoduleLink(visit, repo, from)
  return answerPage(
    <RepoFrame visit={visit} repo={repo} tab="code" title={place.path}>
      <Crumbs {...at} />
      <h2>Submodule</h2>
      <p>
        {'Pinned to commit '}
        <code>{oid}</code>
        {from === undefined ? '. The .gitmodules file has no URL for this submodule.' : ' of '}
        {from !== undefined && (link === undefined ? <code>{from}</code> : <a href={link}>{from}</a>)}
      </p>
    </RepoFrame>,
    200,
    visit.unindexed,
  )
}

function linkNote({ visit, repo: { owner, row }, place }: Place, { data }: FoundPath): Html {
  const target = Buffer.from(data ?? new Uint8Array()).toString('utf8')
  const inside = targetOf(place.path, target)
  const address = inside === undefined ? undefined : visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${inside}`
  return <>Symbolic link to {address === undefined ? <code>{target}</code> : <a href={address}>{target}</a>}</>
}

/** Where a symbolic link leads within the repository; undefined where that is outside of it. */
function targetOf(path: string, target: string): string | undefined {
  if (target.startsWith('/')) return undefined
  const parts = path.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '' && part !== '.' && part !== '..') parts.push(part)
  }
  return parts.join('/')
}

function pointerNote({ data }: FoundPath): Html | undefined {
  const pointer = data && parseLfsPointer(data)
  if (!pointer) return undefined
  return (
    <>
      {`This is a Git LFS pointer to a file of ${sizeText(pointer.lfs_size)}: `}
      <code>{pointer.lfs_oid}</code>
    </>
  )
}

/** What people know in another form says that it is not shown so. */
function sourceNote(path: string): Html | undefined {
  return /\.ipynb$/i.test(path) ? <>Notebooks are not rendered. This is the source.</> : undefined
}

/** How a file is shown: rendered, as a picture, as lines, or not at all. */
async function viewOf(context: Pick<Context, 'git' | 'services'>, at: Place, root: Oid, found: FoundPath, query: FileQuery): Promise<FileView> {
  const { path } = at.place
  const isDrawing = /\.svg$/i.test(path)
  if (picture.test(path) && !(isDrawing && query.display === 'source')) return { kind: 'picture', isDrawing }
  const isCut = found.data === undefined
  const data = found.data ?? (await beginningOf(context, at.repo, found))
  if (data === undefined) return { kind: 'hidden', why: `This file is too large to display (limit: ${sizeText(MAX_READ_BYTES)}).` }
  if (isPdf(data)) return { kind: 'hidden', why: 'PDF file not shown. Download the file to view it.' }
  const read = await readTextAt(context, at.repo.row.id, { tree: root, path, oid: found.oid }, data, isCut)
  if (!read) return { kind: 'hidden', why: 'Binary file not shown.' }
  const { text, charset } = read
  const isDocument = isMarkdown(path) && !isCut && found.mode !== LINK
  const isTable = isSheet(path) && text !== '' && found.mode !== LINK
  const picked = parseLines(query.lines)
  const document = isDocument && query.display !== 'source' && !picked ? await renderDocument(context, at.visit, at.repo, at.place, path, text) : undefined
  const count = countLines(text)
  if (document) return { kind: 'document', document, count, charset }
  if (isTable && query.display !== 'source' && !picked) {
    const table = readSheet(path, text)
    const shown = <Sheet table={{ ...table, isCut: table.isCut || isCut }} source={`${addressOfFile(at)}?display=source`} />
    return { kind: 'table', table: shown, count, charset }
  }
  const number = query.page ?? (picked && String(Math.ceil(Math.min(picked.first, count) / PAGE_LINES)))
  const page = pageOfSize(number, PAGE_LINES)
  const coloured = await context.services.get(Documents).highlight(at.visit.viewer, { blob: found.oid, name: path, code: text })
  const isOdd = hasOddCharacters(text)
  return {
    kind: 'lines',
    lines: renderLines(linesOn(page, text), coloured, isOdd, page, picked),
    count,
    page,
    picked,
    isCut,
    isDocument,
    isTable,
    isDrawing,
    isOdd,
    charset,
  }
}

/** Recognizes a PDF by its header, because a PDF can be pure ASCII. Source: ISO 32000-1, 7.5.2. */
function isPdf(data: Uint8Array): boolean {
  return Buffer.from(data.buffer, data.byteOffset, Math.min(data.length, 8)).toString('latin1').startsWith('%PDF-')
}

/** Of what is too large to be shown whole, whole lines from its beginning. */
async function beginningOf(context: Pick<Context, 'git'>, { row }: RepoAccess, { oid, size }: FoundPath): Promise<Uint8Array | undefined> {
  if (size > MAX_READ_BYTES) return undefined
  const data = await context.git.run('readBeginning', row.id, { oid, bytes: MAX_WHOLE_BYTES, maxBytes: MAX_READ_BYTES })
  const end = data.lastIndexOf(10)
  return end < 0 ? data : data.subarray(0, end + 1)
}

/** The end of the last line begins no other. */
function countLines(text: string): number {
  if (text === '') return 0
  let count = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Those of one page: a file of line ends has a million. */
function linesOn({ offset, limit }: Page, text: string): string[] {
  let start = 0
  for (let skipped = 0; skipped < offset; skipped++) {
    const end = text.indexOf('\n', start)
    if (end < 0) return []
    start = end + 1
  }
  const lines: string[] = []
  while (lines.length < limit && start < text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    lines.push(text.slice(start, end))
    start = end + 1
  }
  return lines
}

/** Thousands of lines are put together as escaped strings, far faster than as elements. */
function renderLines(lines: readonly string[], coloured: readonly string[] | undefined, isOdd: boolean, { offset }: Page, picked: LineRange | undefined): Html {
  const { first, last } = picked ?? { first: 0, last: 0 }
  const showOdd = oddCharacters()
  const rows = lines.map((line, i) => {
    const number = offset + i + 1
    const mark = number >= first && number <= last ? ' data-picked' : ''
    // Browsers go to the element that the whole range names.
    const anchor = picked && number === first && first < last ? ` id="${lineAnchor(picked)}"` : ''
    const text = coloured?.[number - 1] ?? escapeHtml(line)
    const shown = isOdd ? showOdd(text) : text
    return `<tr id="L${number}"${mark}><td class="n"><a${i === 0 ? '' : ' tabindex="-1"'}${anchor} href="#L${number}">${number}</a></td><td>${shown}</td></tr>`
  })
  return raw(rows.join(''))
}
