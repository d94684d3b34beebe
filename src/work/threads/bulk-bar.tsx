import type { Child } from '#web/index.ts'
import { type ListPlace, words } from './list-place.ts'

/** What the boxes of a list belong to. */
export const bulkForm = 'bulk'

/** What can be done to those of a list that are ticked. Without scripts and without styles it stands there in any case. */
export function BulkBar({ place, address }: { place: ListPlace; address: string }) {
  const { kind, state } = place
  return (
    <form class="bulk" id={bulkForm} method="post" action={address} aria-label={`Change selected ${words[kind].many}`}>
      <Return place={place} />
      <span class="faint">Selected:</span>
      {state !== 'closed' && <Act name="close">Close</Act>}
      {state !== 'open' && <Act name="reopen">Reopen</Act>}
      <button type="submit" formmethod="get">
        Edit labels, milestone, assignees…
      </button>
    </form>
  )
}

function Act({ name, children }: { name: string; children: Child }) {
  return (
    <button type="submit" name="action" value={name}>
      {children}
    </button>
  )
}

/** Which list to come back to. */
export function Return({ place: { line, state } }: { place: Pick<ListPlace, 'line' | 'state'> }) {
  return (
    <>
      <input type="hidden" name="q" value={String(line)} />
      <input type="hidden" name="state" value={state} />
    </>
  )
}
