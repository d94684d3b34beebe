import { atLeast, isSiteAdmin, lineOf, type Member, readableBy, type Viewer, visibleTo } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { BadRequest, Forbidden, NotFound } from '#kernel/errors.ts'
import { flagIn } from '#kernel/http.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { timeIn } from '#kernel/schema.ts'
import { accessTo, findIssueById, mayRead } from '#work/issues/index.ts'
import {
  findNotification,
  listNotifications,
  type NotificationFilter,
  type NotificationRow,
  type Readable,
  type Status,
  setStatusUnlessTold,
  statuses,
} from './store.ts'

/** What of an address says which notifications are meant. */
interface Asked {
  viewer: Member
  repoId?: number
  request: Request
}

const subjects = ['issue', 'pull', 'commit', 'repository']

/** What a list shows. @throws Unprocessable on times that are none */
export function filterOf({ viewer, repoId, request }: Asked): NotificationFilter {
  const query = new URL(request.url).searchParams
  const kinds = several(query, 'subject-type').filter((kind) => subjects.includes(kind))
  return {
    ...base(viewer, repoId),
    statuses: statusesIn(query, ['unread', 'pinned']),
    kinds: kinds.length === 0 ? undefined : { issues: kinds.includes('issue'), pulls: kinds.includes('pull'), repos: kinds.includes('repository') },
    since: timeIn(query.get('since') ?? undefined, 'since'),
    before: timeIn(query.get('before') ?? undefined, 'before'),
  }
}

function base(viewer: Member, repoId: number | undefined): NotificationFilter {
  return { userId: viewer.user.id, line: lineOf(viewer), repoId, readable: readableTo(viewer) }
}

export function readableTo(viewer: Viewer): Readable {
  return { issues: readableBy(viewer, 'issues'), pulls: readableBy(viewer, 'pulls'), repos: visibleTo(viewer) }
}

/** Those that are asked for and known; all when none is known, the usual ones when none is asked for. */
function statusesIn(query: URLSearchParams, usual: readonly Status[]): readonly Status[] | undefined {
  if (flagIn(query.get('all') ?? undefined)) return undefined
  const asked = several(query, 'status-types')
  const known = statuses.filter((status) => asked.includes(status))
  return asked.length === 0 ? usual : known.length === 0 ? undefined : known
}

/** Values in lower case: clients of Gitea write `Issue` as well as `issue`. */
function several(query: URLSearchParams, name: string): string[] {
  return query.getAll(name).flatMap((text) =>
    text
      .toLowerCase()
      .split(',')
      .filter((part) => part !== ''),
  )
}

export function unreadOf(viewer: Member): NotificationFilter {
  return { ...base(viewer, undefined), statuses: ['unread'] }
}

/** As many are marked by one request… */
const MOST = 10_000
/** …so many of them in one transaction, that others have their turn. */
const SLICE = 250

/**
 * Marks what an address names, some at a time: what is told meanwhile stays new, and a crash leaves the rest as it was.
 * @returns what changed. @throws BadRequest on a bad time or status
 */
export async function markAll({ db, clock }: Pick<Context, 'db' | 'clock'>, { viewer, repoId, request }: Asked): Promise<NotificationRow[]> {
  const query = new URL(request.url).searchParams
  const status = statusIn(query.get('to-status'))
  const before = readUpTo(query.get('last_read_at')) ?? clock.seconds()
  const filter = { ...base(viewer, repoId), statuses: statusesIn(query, ['unread']), before }
  const rows = await listNotifications(db, filter, { page: 1, limit: MOST, offset: 0 })
  for (let at = 0; at < rows.length; at += SLICE) {
    if (at > 0) await db.rest()
    const mark = (tx: Tx) => {
      for (const row of rows.slice(at, at + SLICE)) setStatusUnlessTold(tx, row, status)
    }
    // With the last of them all are durable.
    if (at + SLICE < rows.length) db.provisional(mark)
    else db.tx(mark)
  }
  return rows.map((row) => ({ ...row, status }))
}

function readUpTo(text: string | null): number | undefined {
  try {
    return timeIn(text ?? undefined, 'last_read_at')
  } catch (cause) {
    throw new BadRequest('[last_read_at]: invalid time: expected a time such as 2026-01-31T12:00:00Z', { cause })
  }
}

export function statusIn(text: string | null | undefined): Status {
  if (!text) return 'read'
  const status = statuses.find((one) => one === text.toLowerCase())
  if (!status) throw new BadRequest(`Unknown status "${text.slice(0, 20)}": expected one of ${statuses.join(', ')}`)
  return status
}

/** @throws Forbidden for somebody else's; NotFound also for one about what its owner may no longer read */
export function getThread({ db }: Pick<Context, 'db'>, viewer: Member, id: string): NotificationRow {
  const row = findNotification(db, rowIdIn(id))
  const issue = row && row.issue_id !== null ? findIssueById(db, row.issue_id) : undefined
  const repo = row && accessTo(db, viewer, row.repo_id)
  if (!row || !repo || (row.issue_id !== null && !issue)) throw new NotFound()
  if (row.user_id !== viewer.user.id && !isSiteAdmin(viewer)) throw new Forbidden('This notification belongs to another user.')
  if (issue ? !mayRead(repo, issue) : !atLeast(repo.permission.level, 'read')) throw new NotFound()
  return row
}
