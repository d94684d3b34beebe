import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parseCommit } from '#git/objects/commit.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/page.ts'
import { answerPage, type Visit } from '#web/index.ts'
import { renderDiff } from './diff-view.ts'
import { listCommits } from './list-commits.ts'
import { readDiff } from './read-diff.ts'
import type { RefPath } from './ref-path.ts'
import { getCommitRevision } from './revisions.ts'
import { parsePatchName, serveCommit, serveDiff } from './serve-patch.ts'
import { CommitPage, LogPage } from './templates.tsx'

export async function showLog(context: Context, visit: Visit, repo: RepoAccess, place: RefPath, page: Page): Promise<Response> {
  const query = { sha: place.commit, path: place.path, stat: 'false', files: 'false' }
  const { commits, total } = await listCommits(context, repo, query, page)
  return answerPage(<LogPage visit={visit} repo={repo} place={place} commits={commits} page={page} total={total} />)
}

/** A commit as a page; with `.diff` or `.patch` behind its name, as text. @throws NotFound for what is no commit */
export async function showCommit(context: Context, visit: Visit, repo: RepoAccess, name: string): Promise<Response> {
  const asText = parsePatchName(name)
  const sha = asText?.name ?? name
  if (!/^[0-9a-f]{4,64}$/i.test(sha)) throw new NotFound()
  const { oid } = getCommitRevision(context, repo.row, sha.toLowerCase())
  if (asText) return serveCommit(context, repo, oid, asText.form)
  const commit = parseCommit(context.git.storeOf(repo.row.id).get(oid, 'commit').data)
  const { text, isCut } = await readDiff(serveDiff(context, repo.row.id, commit.parents[0], oid))
  return answerPage(<CommitPage visit={visit} repo={repo} oid={oid} commit={commit} diff={renderDiff(text)} isCut={isCut} />)
}
