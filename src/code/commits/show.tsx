import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parseCommit } from '#git/objects/commit.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerPage, type Visit } from '#web/index.ts'
import { renderDiff } from './diff-view.ts'
import { readDiff } from './read-diff.ts'
import { getCommitRevision } from './revisions.ts'
import { parsePatchName, serveCommit } from './serve-patch.ts'
import { CommitPage } from './templates.tsx'

/** A commit as a page; with `.diff` or `.patch` behind its name, as text. @throws NotFound for what is no commit */
export async function showCommit(context: Context, visit: Visit, repo: RepoAccess, name: string): Promise<Response> {
  const asText = parsePatchName(name)
  const sha = asText?.name ?? name
  if (!/^[0-9a-f]{4,64}$/i.test(sha)) throw new NotFound()
  const { oid } = getCommitRevision(context, repo.row, sha.toLowerCase())
  if (asText) return serveCommit(context, repo, oid, asText.form)
  const commit = parseCommit(context.git.storeOf(repo.row.id).get(oid, 'commit').data)
  const { text, isCut } = await readDiff(context, { where: repo.row.id, from: commit.parents[0], to: oid })
  return answerPage(<CommitPage visit={visit} repo={repo} oid={oid} commit={commit} diff={renderDiff(text)} isCut={isCut} />, 200, visit.unindexed)
}
