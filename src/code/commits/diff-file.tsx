import type { FileDiff } from '#git/diff/diff-files.ts'
import { escapeHtml, type Html, raw, type Visit } from '#web/index.ts'
import { addressWith } from './changes-query.ts'
import type { SideOfDiff } from './changes-view.ts'
import type { FileColours } from './colour-changes.ts'
import { Counts } from './counts.tsx'
import { anchorOf, lineAnchor } from './diff-anchors.ts'
import { type DiffNotes, type Gap, renderHunks } from './diff-rows.ts'

export interface FileContext {
  visit: Visit
  /** The page's own address. */
  here: string
  old?: SideOfDiff | undefined
  now: SideOfDiff
  notes?: DiffNotes | undefined
  tools?: ((file: FileDiff) => Html | undefined) | undefined
  isFolded?: ((file: FileDiff) => boolean) | undefined
  markOf?: ((file: FileDiff) => string | undefined) | undefined
  isSplit: boolean
  colours?: ReadonlyMap<FileDiff, FileColours>
}

const picture = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i
const SUBMODULE = 0o160000

const words: Record<FileDiff['status'], string> = {
  added: 'Added',
  deleted: 'Deleted',
  modified: 'Modified',
  renamed: 'Renamed',
  copied: 'Copied',
  'type-changed': 'File type changed',
}

/** One file of a diff, under what happened to it. */
export function DiffFile({ file, ...shown }: FileContext & { file: FileDiff }) {
  const name = file.oldPath === undefined ? file.path : `${file.oldPath} → ${file.path}`
  const mark = shown.markOf?.(file)
  const isFolded = shown.isFolded ? shown.isFolded(file) : file.isGenerated === true
  return (
    <details class="diff-file" id={anchorOf(file.path)} open={!isFolded}>
      <summary>
        <h3 class="code">{name}</h3> <Counts {...file} />
        {file.status !== 'modified' && <span class="mark">{words[file.status]}</span>}
        {modeChange(file) && <span class="mark">{modeChange(file)}</span>}
        {file.isGenerated && <span class="mark">Generated</span>}
        {mark !== undefined && <span class="mark">{mark}</span>}
      </summary>
      <div class="diff-tools">
        {shown.tools?.(file)}
        <ViewFile file={file} {...shown} />
      </div>
      <Content file={file} {...shown} />
    </details>
  )
}

function modeChange({ old, new: now }: FileDiff): string | undefined {
  return old && now && old.mode !== now.mode ? `${old.mode.toString(8)} → ${now.mode.toString(8)}` : undefined
}

function ViewFile({ file, visit, old, now }: FileContext & { file: FileDiff }) {
  const side = file.new ? now : old
  if (!side || (file.new ?? file.old)?.mode === SUBMODULE) return null
  return <a href={addressOf(visit, 'src', side, file.new ? file.path : (file.oldPath ?? file.path))}>View file</a>
}

function addressOf(visit: Visit, view: 'src' | 'raw', { repo, commit }: SideOfDiff, path: string): string {
  return visit.to`/${repo.owner.name}/${repo.row.name}/${view}/commit/${commit}/${path}`
}

function Content({ file, ...shown }: FileContext & { file: FileDiff }) {
  if (picture.test(file.path) && (file.isBinary || file.hunks === undefined)) return <Pictures file={file} {...shown} />
  if (file.old?.isBinary || file.new?.isBinary) return <p class="remark">Diff suppressed by .gitattributes.</p>
  if (file.isBinary) return <p class="remark">Binary file not shown.</p>
  if (file.isTooLarge) return <TooLarge file={file} {...shown} />
  if (file.hunks === undefined || file.hunks.length === 0) {
    return <p class="remark">{whyNoLines(file)}</p>
  }
  return <Lines file={file} {...shown} />
}

function whyNoLines(file: FileDiff): string {
  if (file.status === 'renamed' || file.status === 'copied') return `File ${file.status} without changes.`
  return modeChange(file) === undefined ? 'No content changes to show.' : 'File mode changed, no content changes.'
}

function TooLarge({ file, here }: FileContext & { file: FileDiff }) {
  if (file.additions + file.deletions === 0) return <p class="remark">This file is too large to compare.</p>
  return (
    <p class="remark">
      {'Large diff not rendered. '}
      <a href={addressWith(here, { only: file.path, was: file.oldPath, skip: undefined })}>Load diff</a>
    </p>
  )
}

function Pictures({ file, visit, old, now }: FileContext & { file: FileDiff }) {
  const show = (side: SideOfDiff | undefined, path: string, name: string) =>
    side && (
      <figure>
        <img src={addressOf(visit, 'raw', side, path)} alt={`${path}, ${name.toLowerCase()}`} loading="lazy" />
        <figcaption>{name}</figcaption>
      </figure>
    )
  return (
    <div class="pictures">
      {file.old && show(old, file.oldPath ?? file.path, 'Before')}
      {file.new && show(now, file.path, 'After')}
    </div>
  )
}

/** What is to be changed in a file, before it is. */
export function ComingChanges({ file }: { file: FileDiff }) {
  if (file.isTooLarge) return <p class="remark">The diff is too large to show.</p>
  if (!file.hunks?.length) return <p class="remark">No changes.</p>
  return (
    <div class="diff-file">
      <p>
        <Counts {...file} />
      </p>
      <div class="blob code">
        <table>
          <tbody>{raw(renderHunks(file, { isSplit: false, anchor: lineAnchor(file.path) }))}</tbody>
        </table>
      </div>
    </div>
  )
}

function Lines({ file, visit, here, old, now, notes, isSplit, colours }: FileContext & { file: FileDiff }) {
  const side = file.new ? now : old
  const between = (gap: Gap): string => {
    const said = gap.from === gap.to ? `line ${gap.from}` : `lines ${gap.from} to ${gap.to}`
    const asked = { fragment: 'lines', of: file.path, first: String(gap.from), last: String(gap.to), shift: String(gap.shift) }
    const page = side ? `${addressOf(visit, 'src', side, file.path)}?display=source#L${gap.from}-L${gap.to}` : ''
    return `<a href="${escapeHtml(page)}" data-part="${escapeHtml(addressWith(here, asked))}" aria-label="Show ${said}" title="Show ${said}">⋯</a>`
  }
  const rows = renderHunks(file, {
    isSplit,
    anchor: lineAnchor(file.path),
    notes,
    colours: colours?.get(file),
    between: file.status === 'added' || file.status === 'deleted' ? undefined : between,
  })
  return (
    <div class="blob code">
      {isSplit ? (
        <table class="split">
          <colgroup>
            <col class="n" />
            <col />
            <col class="n" />
            <col />
          </colgroup>
          {raw(rows)}
        </table>
      ) : (
        <table>{raw(rows)}</table>
      )}
    </div>
  )
}
