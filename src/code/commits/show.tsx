import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { commitDetails } from '#git/browse/commit-details.ts'
import { parseCommit } from '#git/objects/commit.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerPage, type Visit } from '#web/index.ts'
import { showChanges } from './changes.tsx'
import type { ChangesQuery } from './changes-query.ts'
import { findContainingRefs } from './containing-refs.ts'
import { findNoteText } from './notes.ts'
import { People } from './people.ts'
import { getCommitRevision } from './revisions.ts'
import type { PayloadCommitVerification } from './schema.ts'
import { parsePatchName, serveCommit } from './serve-patch.ts'
import { CommitPage } from './templates.tsx'
import { verifyCommits } from './verification.ts'

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
  const people = new People(context, visit.viewer)
  people.meet([commit.author.email, commit.committer.email])
  const details = await commitDetails(context.git.storeOf(repo.row.id), oid, { files: false, stat: false })
  const [[verification], refs, note] = await Promise.all([
    verifyCommits(context, people, [details]),
    findContainingRefs(context, repo, oid),
    findNoteText(context, repo, oid),
  ])
  const props = { visit, repo, oid, commit, changes, people, verification: verification as PayloadCommitVerification, refs, note }
  return answerPage(<CommitPage {...props} />, 200, visit.unindexed)
}
