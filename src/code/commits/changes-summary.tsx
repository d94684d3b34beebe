import type { FileDiff, FileDiffs } from '#git/diff/diff-files.ts'
import { countText, numberText, type Visit } from '#web/index.ts'
import { addressWith, type ChangesQuery, isSplit } from './changes-query.ts'
import { Counts } from './counts.tsx'
import { anchorOf } from './diff-anchors.ts'

/** Lists of more files are folded, unless they stand beside the files. */
const MANY_FILES = 12

interface Props {
  visit: Visit
  here: string
  all: FileDiffs
  query: ChangesQuery
  /** What of them the page shows. */
  shown: { skip: number; files: readonly FileDiff[] }
  /** What is said of a file besides. */
  listed?: ((file: FileDiff) => string | undefined) | undefined
  isBeside?: boolean | undefined
}

const spaces = [
  ['', 'Show all whitespace changes'],
  ['ignore-change', 'Ignore changes in amount of whitespace'],
  ['ignore-all', 'Ignore all whitespace'],
  ['ignore-eol', 'Ignore whitespace at end of line'],
] as const

/** How much changed, where, and how it is to be shown. */
export function ChangesSummary({ visit, here, all, query, shown, listed, isBeside = false }: Props) {
  const { count, totals = { additions: 0, deletions: 0 }, files, isTruncated } = all
  const split = isSplit(query, visit)
  const first = { skip: undefined, only: undefined }
  return (
    <div class="bar">
      <details class="summary" open={isBeside || (files.length <= MANY_FILES && files.length > 1)}>
        <summary>
          <strong>{`${isTruncated ? 'More than ' : ''}${countText(count, 'changed file')}`}</strong> <Counts {...totals} />
        </summary>
        <ol class="changed-files">
          {files.map((file, i) => (
            <li>
              <span class="status">{letters[file.status]}</span>{' '}
              <a href={addressOf(here, shown, file.path, i)}>{file.oldPath === undefined ? file.path : `${file.oldPath} → ${file.path}`}</a>{' '}
              <Counts {...file} />
              {listed?.(file) !== undefined && <span class="faint">{` ${listed(file)}`}</span>}
            </li>
          ))}
        </ol>
        {files.length < count && <p class="faint">{`${numberText(count - files.length)} more files are not listed.`}</p>}
      </details>
      <div class="buttons">
        <nav class="switch" aria-label="Diff view">
          <a href={addressWith(here, { style: 'unified' })} aria-current={split ? undefined : 'true'}>
            Unified
          </a>
          <a href={addressWith(here, { style: 'split' })} aria-current={split ? 'true' : undefined}>
            Split
          </a>
        </nav>
        <details class="menu end" name="menu">
          <summary class="button">Whitespace</summary>
          <div class="menu-body">
            <ul>
              {spaces.map(([value, words]) => (
                <li>
                  <a
                    href={addressWith(here, { ...first, whitespace: value === '' ? undefined : value })}
                    aria-current={(query.whitespace ?? '') === value ? 'true' : undefined}
                  >
                    {words}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        </details>
      </div>
    </div>
  )
}

const letters: Record<FileDiff['status'], string> = { added: 'A', deleted: 'D', modified: 'M', renamed: 'R', copied: 'C', 'type-changed': 'T' }

/** On this page, or on the one that begins with the file. */
function addressOf(here: string, { skip, files }: Props['shown'], path: string, index: number): string {
  const isHere = index >= skip && index < skip + files.length
  return `${isHere ? '' : addressWith(here, { skip: String(index) })}#${anchorOf(path)}`
}
