import { isOid, type Oid } from '#git/objects/oid.ts'
import type { SentFront } from '#git/workers/log-tasks.ts'

/** Where a page of a log begins: behind a commit, with what the walk had before it then. */
export interface LogCursor {
  after: Oid
  front: SentFront | undefined
}

/** Bytes of each id, enough to tell it from all others. */
const ID_BYTES = 8
const COLUMN_RADIX = 36
/** Stands for a commit without a column. */
const NO_COLUMN = COLUMN_RADIX - 1
/** A digit for the column, and eight bytes in base64. */
const ITEM = 12

/** The same as parameters of an address: `front` is the oldest date, a dot, and twelve signs for each commit. */
export function formatCursor({ after, front }: { after: Oid; front: { waiting: readonly { oid: Oid; column: number }[]; oldest: number } | undefined }) {
  const items = front?.waiting.map(({ oid, column }) => {
    const digit = (column < 0 || column >= NO_COLUMN ? NO_COLUMN : column).toString(COLUMN_RADIX)
    return digit + Buffer.from(oid.slice(0, 2 * ID_BYTES), 'hex').toString('base64url')
  })
  return { after, front: front && `${front.oldest.toString(COLUMN_RADIX)}.${items?.join('')}` }
}

/** Undefined for an `after` that is no id; a `front` that cannot be read counts as absent: with it pages are only faster. */
export function parseCursor(after: string, front: string | undefined): LogCursor | undefined {
  return isOid(after) ? { after, front: front === undefined ? undefined : parseFront(front) } : undefined
}

function parseFront(text: string): SentFront | undefined {
  const [, date = '', items = ''] = /^(-?[0-9a-z]{1,12})\.((?:[0-9a-z][\w-]{11})+)$/.exec(text) ?? []
  const oldest = Number.parseInt(date, COLUMN_RADIX)
  if (!Number.isSafeInteger(oldest)) return undefined
  const waiting = Array.from({ length: items.length / ITEM }, (_, i) => parseItem(items.slice(i * ITEM, (i + 1) * ITEM)))
  return { waiting, oldest }
}

function parseItem(item: string): SentFront['waiting'][number] {
  const column = Number.parseInt(item.charAt(0), COLUMN_RADIX)
  return { prefix: Buffer.from(item.slice(1), 'base64url').toString('hex'), column: column === NO_COLUMN ? -1 : column }
}
