import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import { type Ident, zoneMinutes } from '#git/objects/ident.ts'
import { repoApiUrl, repoUrl } from '#repositories/repos/index.ts'
import type { People } from './people.ts'
import type { Commit, CommitUser, PayloadCommit, PayloadCommitVerification } from './schema.ts'

type ViewContext = Pick<Context, 'db' | 'rootUrl'>

/** A commit, as commit lists show it. @param verification what is known of its signature; null leaves it out */
export function presentCommit(
  context: ViewContext,
  { owner, row }: RepoAccess,
  details: CommitDetails,
  people: People,
  verification: PayloadCommitVerification | null,
): Commit {
  const { oid, commit, files, stats } = details
  const base = `${repoApiUrl(context, owner, row)}/git`
  const url = `${base}/commits/${oid}`
  const created = identTime(commit.committer)
  return {
    url,
    sha: oid,
    created,
    html_url: `${repoUrl(context, owner, row)}/commit/${oid}`,
    commit: {
      url,
      author: presentIdent(commit.author),
      committer: presentIdent(commit.committer),
      message: commit.message,
      tree: { url: `${base}/trees/${commit.tree}`, sha: commit.tree, created },
      verification,
    },
    author: people.record(commit.author.email),
    committer: people.record(commit.committer.email),
    parents: commit.parents.map((parent) => ({ url: `${base}/commits/${parent}`, sha: parent, created: zeroTime })),
    files: files?.map(({ path, status }) => ({ filename: path, status })) ?? null,
    stats: stats ? { total: stats.additions + stats.deletions, ...stats } : null,
  }
}

/** A commit, as branches and webhooks show it. */
export function presentPayloadCommit(
  context: ViewContext,
  { owner, row }: RepoAccess,
  { oid, commit }: CommitDetails,
  people: People,
  verification: PayloadCommitVerification,
): PayloadCommit {
  const user = ({ name, email }: Ident) => ({ name, email, username: people.username(email) })
  return {
    id: oid,
    message: commit.message,
    url: `${repoUrl(context, owner, row)}/commit/${oid}`,
    author: user(commit.author),
    committer: user(commit.committer),
    verification,
    timestamp: identTime(commit.author),
    added: null,
    removed: null,
    modified: null,
  }
}

export function presentIdent(ident: Ident): CommitUser {
  return { name: ident.name, email: ident.email, date: identTime(ident) }
}

/** RFC 3339 in the ident's time zone; in UTC when the offset is 24 hours or more, which RFC 3339 cannot express. */
export function identTime({ seconds, zone }: Ident): string {
  const stated = zoneMinutes(zone)
  const minutes = Math.abs(stated) < 24 * 60 ? stated : 0
  const local = new Date((seconds + minutes * 60) * 1000)
  if (Number.isNaN(local.getTime()) || local.getUTCFullYear() > 9999) return zeroTime
  return `${local.toISOString().slice(0, 19)}${minutes === 0 ? 'Z' : offset(minutes)}`
}

/** `+hh:mm`. Git accepts zones with 60 minutes or more (`+0199`), RFC 3339 does not, so the number is formatted and not the zone copied. */
function offset(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** Go's zero time: not known. */
export const zeroTime = '0001-01-01T00:00:00Z'
