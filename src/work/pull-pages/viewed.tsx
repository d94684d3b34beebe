import { type DiffEnds, listChanges } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { FileDiff } from '#git/diff/diff-files.ts'
import { numberText, Progress, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { sidesOf, type Viewing, viewingOf } from '#work/reviews/index.ts'

/** Of each file whether the viewer has looked at it; undefined for who is not signed in. */
export async function readViewing(context: Context, { viewer }: Visit, issue: IssueRow, ends: DiffEnds): Promise<Map<string, Viewing> | undefined> {
  if (viewer.user === undefined) return undefined
  const { files } = await listChanges(context, ends)
  return viewingOf(context, issue, viewer.user.id, files)
}

/** How many files the viewer has looked at. */
export function ViewedProgress({ viewing }: { viewing: ReadonlyMap<string, Viewing> }) {
  const all = [...viewing.values()]
  const viewed = all.filter((one) => one === 'viewed').length
  const changed = all.filter((one) => one === 'changed').length
  if (all.length === 0) return null
  return (
    <p class="viewed-progress">
      <Progress done={viewed} all={all.length} label="Viewed files" /> {`${numberText(viewed)} of ${numberText(all.length)} viewed`}
      {changed > 0 && <span class="mark">{`${changed} changed since you viewed ${changed === 1 ? 'it' : 'them'}`}</span>}
    </p>
  )
}

interface ToolProps {
  /** Of the pull request. */
  address: string
  file: FileDiff
  viewing: Viewing | undefined
  /** Files before those of the page. */
  skip: string | undefined
}

/** What is said of a file. */
export const viewingWords: Record<Viewing, string | undefined> = { viewed: 'Viewed', changed: 'Changed since you viewed it', new: undefined }

/** The button that notes that the viewer has looked at a file, or has not. */
export function ViewedTool({ address, file, viewing = 'new', skip = '' }: ToolProps) {
  const sides = sidesOf(file)
  const isViewed = viewing === 'viewed'
  return (
    <form method="post" action={`${address}/viewed`}>
      <input type="hidden" name="path" value={file.path} />
      <input type="hidden" name="old_side" value={sides.old_side} />
      <input type="hidden" name="new_side" value={sides.new_side} />
      <input type="hidden" name="skip" value={skip} />
      <button type="submit" name="viewed" value={String(!isViewed)} aria-label={isViewed ? `Mark as not viewed: ${file.path}` : `Mark as viewed: ${file.path}`}>
        {isViewed ? 'Mark as not viewed' : 'Mark as viewed'}
      </button>
    </form>
  )
}
