import type { Context } from '#context.ts'
import type { FileDiff, FileDiffs } from '#git/diff/diff-files.ts'
import type { IgnoredSpace } from '#git/diff/lines.ts'
import { answerPart, type Html, Later, numberText, type Visit } from '#web/index.ts'
import { addressWith, ignoredSpaceIn, isSplit } from './changes-query.ts'
import { ChangesSummary } from './changes-summary.tsx'
import type { ChangesView } from './changes-view.ts'
import { colourChanges, type FileColours } from './colour-changes.ts'
import { DiffFile, type FileContext } from './diff-file.tsx'
import type { DiffNotes } from './diff-rows.ts'
import { answerLines } from './lines-between.tsx'
import { listChanges, readChanges, readFileChanges } from './read-changes.ts'

/**
 * What changed between two trees: first in numbers, then file by file. Everybody who shows a diff shows this one.
 * @returns an answer when only a part of the page was asked for
 */
export async function showChanges(context: Pick<Context, 'config' | 'git' | 'services'>, visit: Visit, view: ChangesView): Promise<Html | Response> {
  const { query, ends } = view
  const ignoredSpace = ignoredSpaceIn(query)
  const here = view.here ?? visit.below(visit.path)
  if (query.fragment === 'lines') return answerLines(context, visit, view)
  if (query.only !== undefined) {
    const { files } = await readFileChanges(context, ends, [query.only, ...(query.was === undefined ? [] : [query.was])], ignoredSpace)
    const colours = await colourChanges(context, visit.viewer, ends.where, files)
    const part = <Files {...{ visit, here, view, files, colours }} notes={await notesOn(view, files)} next={undefined} />
    return query.fragment === undefined ? part : answerPart(part)
  }
  const skip = /^\d{1,6}$/.test(query.skip ?? '') ? Number(query.skip) : 0
  const { all, page } = await readPage(context, view, { skip, ignoredSpace })
  const { found, next } = page
  const colours = await colourChanges(context, visit.viewer, ends.where, found.files)
  const notes = await notesOn(view, found.files)
  const files = <Files {...{ visit, here, view, colours, notes, next }} files={found.files} count={found.count} />
  if (all === undefined) return answerPart(files)
  return (
    <section class={view.isBeside ? 'changes listed' : 'changes'} aria-label="Changes">
      <ChangesSummary {...{ visit, here, all, query }} shown={{ skip, files: found.files }} listed={view.listed} isBeside={view.isBeside} />
      {view.filter && all.files.length === 0 && <p>No files match the filter.</p>}
      {skip > 0 && (
        <p>
          <a href={addressWith(here, { skip: undefined })}>Show changes from the first file</a>
        </p>
      )}
      {files}
    </section>
  )
}

function notesOn({ notesOf }: ChangesView, files: FileDiffs['files']): Promise<DiffNotes> | undefined {
  return notesOf?.(files.map(({ path }) => path))
}

/** All that changed, in numbers, where the whole page is asked for, and a part of it with lines; of both what the filter lets through. */
async function readPage(
  context: Pick<Context, 'config' | 'git' | 'services'>,
  { ends, query, filter }: ChangesView,
  { skip, ignoredSpace }: { skip: number; ignoredSpace: IgnoredSpace | undefined },
): Promise<{ all: FileDiffs | undefined; page: Awaited<ReturnType<typeof readChanges>> }> {
  const isWhole = query.fragment === undefined
  if (!filter) {
    const [all, page] = await Promise.all([isWhole ? listChanges(context, ends, ignoredSpace) : undefined, readChanges(context, ends, { skip, ignoredSpace })])
    return { all, page }
  }
  const listed = await listChanges(context, ends, ignoredSpace)
  const files = listed.files.filter(filter)
  const totals = { additions: sum(files.map(({ additions }) => additions)), deletions: sum(files.map(({ deletions }) => deletions)) }
  const all = { ...listed, files, totals, count: files.length }
  if (files.length === 0) return { all, page: { found: all, next: undefined } }
  const paths = files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]))
  return { all: isWhole ? all : undefined, page: await readChanges(context, ends, { skip, ignoredSpace, paths }) }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

interface FilesProps {
  visit: Visit
  here: string
  view: ChangesView
  files: FileDiffs['files']
  colours: ReadonlyMap<FileDiff, FileColours>
  notes: DiffNotes | undefined
  next: number | undefined
  /** Of all files. */
  count?: number
}

function Files({ visit, here, view, files, colours, notes, next, count = 0 }: FilesProps) {
  const shown: FileContext = {
    visit,
    here,
    old: view.old,
    now: view.now,
    notes,
    tools: view.tools,
    // Who asks for one file wants to see it.
    isFolded: view.query.only === undefined ? view.isFolded : () => false,
    markOf: view.markOf,
    isSplit: isSplit(view.query, visit),
    colours,
  }
  return (
    <>
      {files.map((file) => (
        <DiffFile file={file} {...shown} />
      ))}
      {next !== undefined && (
        <Later href={addressWith(here, { skip: String(next) })} fragment="files">
          {`Load ${count - next === 1 ? '1 more file' : `${numberText(count - next)} more files`}`}
        </Later>
      )}
    </>
  )
}
