import type { Page } from '#kernel/page.ts'
import type { Visit } from './visit.ts'
import { hereWith } from './ways.tsx'

/** Links to the pages before and behind this one of a list, with what else its address says. */
export function Pager({ visit, page, total }: { visit: Visit; page: Page; total: number }) {
  const last = Math.max(1, Math.ceil(total / page.limit))
  if (last === 1) return null
  return (
    <nav class="pager" aria-label="Pages">
      {page.page > 1 && (
        <a rel="prev" href={pageAddress(visit, page.page - 1)}>
          Previous
        </a>
      )}
      <span>{`Page ${page.page} of ${last}`}</span>
      {page.page < last && (
        <a rel="next" href={pageAddress(visit, page.page + 1)}>
          Next
        </a>
      )}
    </nav>
  )
}

interface NextProps {
  visit: Visit
  page: Page
  hasMore: boolean
}

/** The same where nobody counted how many pages there are. */
export function NextPages({ visit, page, hasMore }: NextProps) {
  if (page.page === 1 && !hasMore) return null
  return (
    <nav class="pager" aria-label="Pages">
      {page.page > 1 && (
        <a rel="prev" href={pageAddress(visit, page.page - 1)}>
          Newer
        </a>
      )}
      <span>{`Page ${page.page}`}</span>
      {hasMore && (
        <a rel="next" href={pageAddress(visit, page.page + 1)}>
          Older
        </a>
      )}
    </nav>
  )
}

function pageAddress(visit: Visit, number: number): string {
  return hereWith(visit, { page: String(number) })
}
