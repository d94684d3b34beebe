import type { RepoAccess, Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Oid } from '#git/objects/oid.ts'
import { isOn, parseDetails } from './list-commits.ts'
import { People } from './people.ts'
import type { Commit, DetailsQuery } from './schema.ts'
import { verifyCommits } from './verification.ts'
import { presentCommit } from './view.ts'

/** Commits as the API shows them, with as much of each as the query asks for. @param found read with `parseDetails(query)` */
export async function presentCommits(
  context: Pick<Context, 'db' | 'services' | 'rootUrl'>,
  viewer: Viewer,
  repo: RepoAccess,
  found: readonly CommitDetails[],
  query: DetailsQuery,
): Promise<Commit[]> {
  const people = new People(context, viewer)
  const verifications = isOn(query.verification) ? await verifyCommits(context, people, found) : []
  return found.map((commit, i) => presentCommit(context, repo, commit, people, verifications[i] ?? null))
}

/** One commit, read and shown. @throws GitError `missing` when it is not there */
export async function presentOne(context: Context, viewer: Viewer, repo: RepoAccess, oid: Oid, query: DetailsQuery): Promise<Commit> {
  const found = await context.git.run('readCommit', repo.row.id, { oid, details: parseDetails(query) })
  return (await presentCommits(context, viewer, repo, [found], query))[0] as Commit
}
