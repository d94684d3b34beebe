import type { RefChoices } from '#code/commits/index.ts'
import type { FileText } from '#git/diff/file-text.ts'
import type { Page } from '#kernel/page.ts'
import { countText, type Html, Pager, RepoFrame, Size } from '#web/index.ts'
import { formatLines, type LineRange, lineAnchor } from './line-range.ts'
import { PlaceBar, type PlaceProps } from './place-bar.tsx'

type Charset = FileText['charset']

/** How a file is shown. */
export type FileView =
  | { kind: 'picture'; isDrawing: boolean }
  | { kind: 'hidden'; why: string }
  | { kind: 'document'; document: Html; count: number; charset: Charset }
  | { kind: 'table'; table: Html; count: number; charset: Charset }
  | {
      kind: 'lines'
      lines: Html
      /** Of the part of the file that is shown on all its pages. */
      count: number
      page: Page
      /** Lines that are marked. */
      picked: LineRange | undefined
      /** Whether the file goes on. */
      isCut: boolean
      /** Whether it could be rendered as well. */
      isDocument: boolean
      isTable: boolean
      /** Whether it is a picture as well. */
      isDrawing: boolean
      /** Whether signs in it are shown that else nobody sees. */
      isOdd: boolean
      charset: Charset
    }

const LINK = 0o120000

interface FileProps extends PlaceProps {
  size: number
  mode: number
  view: FileView
  choices: RefChoices
  tree: Html | undefined
  /** What there is to know of it before it is read. */
  note?: Html | undefined
}

export function FilePage({ visit, repo, place, size, mode, view, choices, tree, note }: FileProps) {
  // The form of a change takes text only, in UTF-8; a drawing in SVG is a picture and text.
  const isText = view.kind === 'picture' ? view.isDrawing : view.kind !== 'hidden' && view.charset === undefined
  const isEditable = isText && mode !== LINK
  return (
    <RepoFrame visit={visit} repo={repo} tab="code" title={place.path}>
      <div class="with-tree">
        {tree}
        <div>
          <PlaceBar visit={visit} repo={repo} place={place} choices={choices} actions={isEditable ? ['_edit', '_delete'] : ['_delete']} />
          <div class="files">
            <FileBar visit={visit} repo={repo} place={place} size={size} mode={mode} view={view} />
            {note && <p class="remark">{note}</p>}
            <Shown visit={visit} repo={repo} place={place} view={view} />
          </div>
          {view.kind === 'lines' && <Pager visit={visit} page={view.page} total={view.count} />}
        </div>
      </div>
    </RepoFrame>
  )
}

function FileBar({ visit, repo: { owner, row }, place, size, mode, view }: Omit<FileProps, 'choices' | 'tree'>) {
  const at = (page: string) => visit.to`/${owner.name}/${row.name}/${page}/${place.kind}/${place.name}/${place.path}`
  const isText = view.kind === 'lines' || view.kind === 'document' || view.kind === 'table'
  const isShown = view.kind !== 'lines'
  const other = otherWay(view)
  const name = place.path.slice(place.path.lastIndexOf('/') + 1)
  const picked = view.kind === 'lines' ? view.picked : undefined
  const marked = picked ? `?lines=${formatLines(picked)}#${lineAnchor(picked)}` : ''
  return (
    <div class="head-commit">
      <span>
        {other && (
          <span class="switch">
            <a href={at('src')} aria-current={isShown ? 'true' : undefined}>
              {other}
            </a>
            <a href={`${at('src')}?display=source`} aria-current={isShown ? undefined : 'true'}>
              Source
            </a>
          </span>
        )}
        <span class="faint">
          {isText && (view.kind === 'lines' && view.isCut ? `first ${countText(view.count, 'line')} shown · ` : `${countText(view.count, 'line')} · `)}
          <Size bytes={size} />
          {mode === 0o100755 && ' · executable'}
          {mode === LINK && ' · symbolic link'}
          {isText && view.charset && ` · ${view.charset}`}
        </span>
      </span>
      <nav class="actions" aria-label="File">
        <a href={at('raw')} data-key="r">
          Raw
        </a>
        {isText && mode !== LINK && view.charset !== 'UTF-16' && (
          <a href={at('blame')} data-key="b">
            Blame
          </a>
        )}
        <a href={at('commits')}>History</a>
        <a href={visit.to`/${owner.name}/${row.name}/src/commit/${place.commit}/${place.path}` + marked} data-key="y">
          Permalink
        </a>
        <a href={at('raw')} download={name}>
          Download
        </a>
        {view.kind === 'lines' && <LinesMenu here={at('src')} raw={at('raw')} picked={picked} />}
      </nav>
    </div>
  )
}

/** What a file is beside its source, where it is that as well. */
function otherWay(view: FileView): string | undefined {
  if (view.kind === 'document' || (view.kind === 'lines' && view.isDocument)) return 'Preview'
  if (view.kind === 'table' || (view.kind === 'lines' && view.isTable)) return 'Table'
  return (view.kind === 'picture' || view.kind === 'lines') && view.isDrawing ? 'Image' : undefined
}

/** A way to mark lines, and to address them; where scripts run, a click on their numbers does the same. */
function LinesMenu({ here, raw, picked }: { here: string; raw: string; picked: LineRange | undefined }) {
  const lines = picked && formatLines(picked)
  return (
    <details class="menu end" name="menu">
      <summary>{lines === undefined ? 'Lines' : `Lines ${lines.replace('-', '–')}`}</summary>
      <div class="menu-body">
        <form method="get" action={here}>
          <label>
            Highlight lines
            <input name="pick" value={lines} placeholder="12 or 12-20" pattern="\s*L?\d{1,7}(\s*-\s*L?\d{1,7})?\s*" maxlength="20" required />
          </label>
          <button type="submit">Highlight</button>
        </form>
        {lines !== undefined && (
          <ul>
            <li>
              <a href={`${raw}?lines=${lines}`}>View raw lines</a>
            </li>
            <li>
              <a href={`${here}?display=source`}>Clear highlighting</a>
            </li>
          </ul>
        )}
      </div>
    </details>
  )
}

function Shown({ visit, repo: { owner, row }, place, view }: PlaceProps & { view: FileView }) {
  const address = visit.to`/${owner.name}/${row.name}/raw/${place.kind}/${place.name}/${place.path}`
  if (view.kind === 'picture') {
    return (
      <p class="picture">
        <img src={address} alt={place.path} />
      </p>
    )
  }
  if (view.kind === 'document') return <article class="text document">{view.document}</article>
  if (view.kind === 'table') return view.table
  if (view.kind === 'hidden') {
    return (
      <p class="remark">
        {view.why} <a href={address}>View raw</a>
      </p>
    )
  }
  return (
    <>
      {view.isOdd && <p class="remark">This file contains hidden or bidirectional Unicode characters. They are shown as code points.</p>}
      {view.count === 0 ? (
        <p class="remark">This file is empty.</p>
      ) : (
        <div class="blob code">
          <table>{view.lines}</table>
        </div>
      )}
      {view.isCut && (
        <p class="remark">
          {'This file is too large to show in full. '}
          <a href={address}>View raw</a>
        </p>
      )}
    </>
  )
}
