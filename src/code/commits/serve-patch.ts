import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { dateStyles } from '#git/archive/commit-dates.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { IgnoredSpace } from '#git/diff/lines.ts'
import type { Commit } from '#git/objects/commit.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { StreamCall } from '#git/workers/pool.ts'
import type { Where } from '#git/workers/service.ts'
import { type Peer, pacedStream } from '#kernel/answers/paced-stream.ts'
import { rawHeaders } from '#kernel/http.ts'
import { quarantineName } from '#repositories/refs/index.ts'
import { streamCall } from './stream-call.ts'

/** `diff`: what `git diff` prints. `patch`: mails as `git format-patch --stdout` prints them, for `git am`. */
export type PatchForm = 'diff' | 'patch'

/** `main.diff` names the revision before the last dot, and the form behind it; undefined for a name without a form. */
export function parsePatchName(text: string): { name: string; form: PatchForm } | undefined {
  const [, name, form] = /^(.+)\.(diff|patch)$/s.exec(text) ?? []
  return name === undefined ? undefined : { name, form: form as PatchForm }
}

/** How a diff is told: `head` stands above it. */
export interface DiffForm {
  head?: string
  binary?: boolean
  ignoredSpace?: IgnoredSpace
}

/** What changed between two trees, commits or tags, as text. @param from undefined for the empty tree. @throws Problem 503 as `pacedStream` does */
export function serveDiff(
  context: Pick<Context, 'answerBroke' | 'config' | 'git' | 'services'>,
  where: Where,
  from: Oid | undefined,
  to: Oid,
  { peer, head, ...form }: DiffForm & { peer: Peer },
): Promise<Response> {
  const options = { ...diffLimits(context), ...form }
  return text(context, peer, () => context.git.pool.stream('diffText', context.git.placeOf(where), { from, to, spool: quarantineName('blob'), options }), head)
}

/** The commits that `to` has and `from` has not, as mails. @throws Problem 503 as `pacedStream` does */
export function servePatches(
  context: Pick<Context, 'answerBroke' | 'config' | 'git' | 'services'>,
  where: Where,
  from: readonly Oid[],
  to: Oid,
  peer: Peer,
): Promise<Response> {
  const asked = { from: [...from], to, spool: quarantineName('blob'), options: diffLimits(context) }
  return text(context, peer, () => context.git.pool.stream('rangePatches', context.git.placeOf(where), asked))
}

/**
 * A commit as text: as Gitea has git tell it, what `git diff` prints against its first parent, and `git show` of one without parents; as mails,
 * of a merge those of what it brought.
 */
export async function serveCommit(
  context: Pick<Context, 'answerBroke' | 'config' | 'git' | 'services'>,
  { row: { id } }: RepoAccess,
  oid: Oid,
  form: PatchForm,
  peer: Peer,
): Promise<Response> {
  const [told] = await context.git.look('commits', id, { oids: [oid] })
  const { commit } = told as CommitDetails
  const first = commit.parents.slice(0, 1)
  if (form === 'patch') return servePatches(context, id, first, oid, peer)
  return serveDiff(context, id, first[0], oid, { peer, head: first.length === 0 ? headOf(oid, commit) : undefined })
}

/** What `git show` prints above the changes. */
function headOf(oid: Oid, { author, message }: Commit): string {
  const lines = message
    .replace(/^(\s*\n)+/, '')
    .trimEnd()
    .split('\n')
    .map((line) => `    ${expandTabs(line.trimEnd())}\n`)
  const date = dateStyles.d?.(author)
  return `commit ${oid}\nAuthor: ${author.name} <${author.email}>\nDate:   ${date}\n\n${message.trim() === '' ? '' : `${lines.join('')}\n`}`
}

/** To every eighth column, as git shows messages. */
function expandTabs(line: string): string {
  let shown = ''
  for (const part of line.split(/(\t)/)) shown += part === '\t' ? ' '.repeat(8 - (shown.length % 8)) : part
  return shown
}

async function text(context: Pick<Context, 'answerBroke' | 'config' | 'services'>, peer: Peer, start: () => StreamCall<unknown>, head = ''): Promise<Response> {
  const body = await pacedStream(context, () => streamCall(start, peer.request.signal, head === '' ? undefined : Buffer.from(head)), peer, 'diff')
  return new Response(body, { headers: { ...rawHeaders, 'Content-Type': 'text/plain; charset=utf-8' } })
}

/** What bounds one diff, whoever asks for it. */
export function diffLimits({ config }: Pick<Context, 'config'>) {
  return { maxFiles: config.api.MAX_DIFF_FILES, maxFileBytes: config.api.MAX_DIFF_FILE_SIZE }
}
