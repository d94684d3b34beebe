import { pageHeaders } from './answers.ts'
import type { Child, Html } from './html.ts'

interface LaterProps {
  /** A page that has the part. */
  href: string
  /** What the address has as `fragment` besides, where the part alone is answered, by `answerPart`. */
  fragment: string
  /** What the link says. */
  children: Child
  /** In a table of this many columns it is a row; what it becomes is the rows of `<table><tbody>…`. */
  columns?: number
}

/**
 * A part of a page that is not made yet. Where scripts run it is fetched when it comes into sight, and takes this one's place; elsewhere
 * the link leads to a page that has it.
 */
export function Later({ href, fragment, children, columns }: LaterProps) {
  const address = `${href}${href.includes('?') ? '&' : '?'}fragment=${encodeURIComponent(fragment)}`
  const link = <a href={href}>{children}</a>
  return columns === undefined ? (
    <p data-later={address}>{link}</p>
  ) : (
    <tr data-later={address}>
      <td colspan={columns}>{link}</td>
    </tr>
  )
}

/** A part of a page by itself. */
export function answerPart(part: Html): Response {
  return new Response(part.text, { headers: pageHeaders })
}
