import { decorate, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Peer } from '#kernel/answers/paced-stream.ts'
import { NotFound } from '#kernel/errors.ts'
import { queryOf } from '#kernel/http.ts'
import { findNamedCommit, getCommitRevision } from '#repositories/refs/index.ts'
import { answerPage, seeOther, type Visit } from '#web/index.ts'
import { showChanges } from './changes.tsx'
import type { ChangesQuery } from './changes-query.ts'
import { coAuthorsOf } from './co-authors.ts'
import { renderChecks } from './commit-checks.tsx'
import { findContainingRefs } from './containing-refs.ts'
import { findNoteText } from './notes.ts'
import { People } from './people.ts'
import { parsePatchName, serveCommit } from './serve-patch.ts'
import { CommitPage } from './templates.tsx'
import { verifyCommits } from './verification.ts'

interface AskedCommit {
  name: string
  query: ChangesQuery & { checks?: string | undefined }
  peer: Peer
}

/** A commit as a page; with `.diff` or `.patch` behind its id, as text. Another name of one leads to it. @throws NotFound for what is no commit */
export async function showCommit(context: Context, visit: Visit, repo: RepoAccess, { name, query, peer }: AskedCommit): Promise<Response> {
  const asText = parsePatchName(name)
  const sha = asText?.name ?? name
  if (!/^[0-9a-f]{4,64}$/i.test(sha)) return goToCommit(context, visit, repo, name)
  const { oid } = await getCommitRevision(context, repo.row, sha.toLowerCase())
  if (asText) return serveCommit(context, repo, oid, asText.form, peer)
  const [details] = (await context.git.look('commits', repo.row.id, { oids: [oid] })) as [CommitDetails]
  const { commit } = details
  const from = commit.parents[0]
  const ends = { where: repo.row.id, from, to: oid }
  const changes = await showChanges(context, visit, { ends, old: from && { repo, commit: from }, now: { repo, commit: oid }, query })
  if (changes instanceof Response) return changes
  const people = new People(context, visit.viewer)
  const coAuthors = coAuthorsOf(commit)
  people.meet([commit.author, commit.committer, ...coAuthors].map(({ email }) => email))
  const [[verification], refs, note, checks] = await Promise.all([
    decorate(context, 'signatures', () => verifyCommits(context, people, [details]), []),
    findContainingRefs(context, repo, oid),
    decorate(context, 'the note of a commit', () => findNoteText(context, repo, oid), undefined),
    renderChecks(context, visit, repo, oid, query.checks),
  ])
  const props = { visit, repo, oid, commit, coAuthors, changes, people, verification, refs, note, checks }
  return answerPage(<CommitPage {...props} />, 200, visit.unindexed)
}

/** Names move on: the address of what they mean now is told instead. @throws NotFound for what names no commit */
async function goToCommit(context: Pick<Context, 'db' | 'git'>, visit: Visit, { owner, row }: RepoAccess, name: string): Promise<Response> {
  const asText = parsePatchName(name)
  const named = await findNamedCommit(context, row, name)
  const oid = named ?? (asText && (await findNamedCommit(context, row, asText.name)))
  if (!oid) throw new NotFound()
  const end = named === undefined ? `.${asText?.form}` : ''
  return seeOther(visit.to`/${owner.name}/${row.name}/commit/${oid}${end}` + queryOf(visit.path))
}
