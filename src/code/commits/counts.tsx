/** Lines that came and went. */
export function Counts({ additions, deletions }: { additions: number; deletions: number }) {
  return (
    <span class="counts">
      <span class="plus">{`+${additions}`}</span> <span class="minus">{`−${deletions}`}</span>
    </span>
  )
}
