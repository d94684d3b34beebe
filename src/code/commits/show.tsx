import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parseCommit } from '#git/objects/commit.ts'
import type { Oid } from '#git/objects/oid.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/page.ts'
import { answerPage, type Visit } from '#web/index.ts'
import { renderDiff } from './diff-view.ts'
import { listCommits } from './list-commits.ts'
import type { RefPath } from './ref-path.ts'
import { getCommitRevision } from './revisions.ts'
import { CommitPage, LogPage } from './templates.tsx'

/** A larger diff is shown up to here. */
const MAX_DIFF_BYTES = 512 * 1024

export async function showLog(context: Context, visit: Visit, repo: RepoAccess, place: RefPath, page: Page): Promise<Response> {
  const query = { sha: place.commit, path: place.path, stat: 'false', files: 'false' }
  const { commits, total } = await listCommits(context, repo, query, page)
  return answerPage(<LogPage visit={visit} repo={repo} place={place} commits={commits} page={page} total={total} />)
}

/** @throws NotFound for what is no commit */
export async function showCommit(context: Context, visit: Visit, repo: RepoAccess, sha: string): Promise<Response> {
  if (!/^[0-9a-f]{4,64}$/i.test(sha)) throw new NotFound()
  const { oid } = getCommitRevision(context, repo.row, sha.toLowerCase())
  const commit = parseCommit(context.git.storeOf(repo.row.id).get(oid, 'commit').data)
  const { text, isCut } = await readDiff(context, repo.row.id, commit.parents[0], oid)
  return answerPage(<CommitPage visit={visit} repo={repo} oid={oid} commit={commit} diff={renderDiff(text)} isCut={isCut} />)
}

/** The beginning of a diff, as far as a page shows it; the worker stops there. */
async function readDiff(context: Context, repoId: number, from: Oid | undefined, to: Oid): Promise<{ text: string; isCut: boolean }> {
  const place = { path: context.git.pathOf(repoId), limits: context.git.limits }
  const call = context.git.pool.stream('diffText', place, { from, to })
  call.end()
  const ended = call.result.catch((error: unknown) => error)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of call.outgoing) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_DIFF_BYTES) break
  }
  const isCut = size > MAX_DIFF_BYTES
  if (isCut) call.abort()
  const failure = await ended
  if (!isCut && failure instanceof Error) throw failure
  const whole = Buffer.concat(chunks).subarray(0, MAX_DIFF_BYTES).toString('utf8')
  return { text: isCut ? whole.slice(0, whole.lastIndexOf('\n') + 1) : whole, isCut }
}
