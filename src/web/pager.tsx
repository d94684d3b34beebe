import type { Page } from '#kernel/page.ts'
import { numberText } from './numbers.ts'
import type { Visit } from './visit.ts'
import { hereWith } from './ways.tsx'

interface PagerProps {
  visit: Visit
  page: Page
  total: number
  /** The parameter that says which page it is, where a page has several lists. */
  name?: string
}

/** Links to the pages before and behind this one of a list, with what else its address says. */
export function Pager({ visit, page, total, name = 'page' }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / page.limit))
  if (last === 1) return null
  return (
    <nav class="pager" aria-label="Pagination">
      {page.page > 1 && (
        <a rel="prev" href={pageAddress(visit, page.page - 1, name)}>
          Previous
        </a>
      )}
      <span>{`Page ${numberText(page.page)} of ${numberText(last)}`}</span>
      {page.page < last && (
        <a rel="next" href={pageAddress(visit, page.page + 1, name)}>
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
  /** As for `Pager`. */
  name?: string
  /** What the links say; for what is listed by time, the newest first, it need not be given. */
  words?: readonly [before: string, after: string]
}

/** The same where nobody counted how many pages there are. */
export function NextPages({ visit, page, hasMore, name = 'page', words: [before, after] = ['Newer', 'Older'] }: NextProps) {
  if (page.page === 1 && !hasMore) return null
  return (
    <nav class="pager" aria-label="Pagination">
      {page.page > 1 && (
        <a rel="prev" href={pageAddress(visit, page.page - 1, name)}>
          {before}
        </a>
      )}
      <span>{`Page ${numberText(page.page)}`}</span>
      {hasMore && (
        <a rel="next" href={pageAddress(visit, page.page + 1, name)}>
          {after}
        </a>
      )}
    </nav>
  )
}

function pageAddress(visit: Visit, number: number, name: string): string {
  return hereWith(visit, { [name]: String(number) })
}
