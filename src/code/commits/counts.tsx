import { numberText } from '#web/index.ts'

/** Lines that came and went. */
export function Counts({ additions, deletions }: { additions: number; deletions: number }) {
  return (
    <span class="counts">
      <span class="plus">{`+${numberText(additions)}`}</span> <span class="minus">{`−${numberText(deletions)}`}</span>
    </span>
  )
}
