import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parseCommit } from '#git/objects/commit.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerPage, type Visit } from '#web/index.ts'
import { showChanges } from './changes.tsx'
import type { ChangesQuery } from './changes-query.ts'
import { getCommitRevision } from './revisions.ts'
import { parsePatchName, serveCommit } from './serve-patch.ts'
import { CommitPage } from './templates.tsx'

/** A commit as a page; with `.diff` or `.patch` behind its name, as text. @throws NotFound for what is no commit */
export async function showCommit(context: Context, visit: Visit, repo: RepoAccess, name: string, query: ChangesQuery): Promise<Response> {
  const asText = parsePatchName(name)
  const sha = asText?.name ?? name
  if (!/^[0-9a-f]{4,64}$/i.test(sha)) throw new NotFound()
  const { oid } = getCommitRevision(context, repo.row, sha.toLowerCase())
  if (asText) return serveCommit(context, repo, oid, asText.form)
  const commit = parseCommit(context.git.storeOf(repo.row.id).get(oid, 'commit').data)
  const from = commit.parents[0]
  const ends = { where: repo.row.id, from, to: oid }
  const changes = await showChanges(context, visit, { ends, old: from && { repo, commit: from }, now: { repo, commit: oid }, query })
  if (changes instanceof Response) return changes
  return answerPage(<CommitPage visit={visit} repo={repo} oid={oid} commit={commit} changes={changes} />, 200, visit.unindexed)
}
