import { type Static, t } from 'elysia'
import type { IgnoredSpace } from '#git/diff/lines.ts'
import type { Visit } from '#web/index.ts'

const Word = t.Optional(t.String({ maxLength: 20 }))
const Path = t.Optional(t.String({ maxLength: 4096 }))

/** What addresses of pages with a diff say of how it is shown; names and values are Gitea's where it has them. */
export const ChangesQuery = t.Object({
  /** `ignore-all`, `ignore-change` or `ignore-eol`. */
  whitespace: Word,
  /** `split` or `unified`. */
  style: Word,
  /** Files before those that are shown. */
  skip: Word,
  /** A file that is shown by itself, however long. */
  only: Path,
  /** Its name before. */
  was: Path,
  /** A part of the page by itself: `files`, `file` or `lines`; of a pull request also `line` or `said`, what stands below a line with a form or without. */
  fragment: Word,
  /** Of `lines`: the file, its first and last line, and how much less their numbers were before. */
  of: Path,
  first: Word,
  last: Word,
  shift: Word,
})
export type ChangesQuery = Static<typeof ChangesQuery>

const ignoring: Record<string, IgnoredSpace> = { 'ignore-all': 'all', 'ignore-change': 'change', 'ignore-eol': 'at-eol' }

export function ignoredSpaceIn({ whitespace = '' }: ChangesQuery): IgnoredSpace | undefined {
  return Object.hasOwn(ignoring, whitespace) ? ignoring[whitespace] : undefined
}

/** As the address says; else as the viewer had it in their settings. */
export function isSplit({ style }: ChangesQuery, visit: Visit): boolean {
  return (style ?? visit.viewer.user?.diff_view_style) === 'split'
}

/** An address with some of what its query says replaced; undefined takes it away. What asks for a part of the page goes. */
export function addressWith(address: string, values: Record<string, string | undefined>): string {
  const [path = '', query] = address.split('?')
  const parameters = new URLSearchParams(query)
  for (const name of ['fragment', 'of', 'first', 'last', 'shift', 'was', 'only']) parameters.delete(name)
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
