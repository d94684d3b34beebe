import type { RepoAccess, Viewer } from '#access/index.ts'
import { type Commit, type DetailsQuery, getCommitRevision, parseDetails, presentCommits, serveDiff, servePatches } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Oid } from '#git/objects/oid.ts'
import { BadRequest } from '#kernel/errors.ts'
import { type ComparedSide, parseComparison } from './parse-comparison.ts'

export interface Compared {
  total_commits: number
  commits: Commit[]
}

/** The newest of so many commits are shown; the total tells of all. */
const MAX_COMMITS = 10_000

interface Ends {
  base: Oid
  head: Oid
  isDirect: boolean
}

/** The commits that a comparison's head has and its base has not, newest first. @throws as `endsOf` does */
export async function compareCommits(context: Context, viewer: Viewer, repo: RepoAccess, text: string, query: DetailsQuery): Promise<Compared> {
  const { total, commits } = await listCompared(context, repo, text, query, MAX_COMMITS)
  return { total_commits: total, commits: await presentCommits(context, viewer, repo, commits, query) }
}

/** The newest of them, and how many there are. @throws as `endsOf` does */
export async function listCompared(
  context: Context,
  repo: RepoAccess,
  text: string,
  query: DetailsQuery,
  limit: number,
): Promise<{ total: number; commits: CommitDetails[] }> {
  const { base, head } = endsOf(context, repo, text)
  const { id } = repo.row
  const range = { include: [head], exclude: [base] }
  const total = await context.git.run('countCommits', id, { range })
  const commits = total === 0 ? [] : await context.git.run('listCommits', id, { range, skip: 0, limit, details: parseDetails(query) })
  return { total, commits }
}

/** What a comparison's head has changed, as `git diff base...head` (or `base..head`) and `git format-patch base..head` print it. */
export async function compareText(context: Context, repo: RepoAccess, text: string, form: string): Promise<Response> {
  const { base, head, isDirect } = endsOf(context, repo, text)
  const { id } = repo.row
  if (form === 'patch') return servePatches(context, id, [base], head)
  if (form !== 'diff') throw new BadRequest(`[output]: diff or patch is expected, not "${form}"`)
  const from = isDirect ? base : await context.git.run('mergeBase', id, { a: base, b: head })
  // What has no common ancestor is compared as it is.
  return serveDiff(context, id, from ?? base, head)
}

/** @throws BadRequest on syntax that is not understood, and a head in no fork; NotFound when a side names nothing */
function endsOf(context: Context, repo: RepoAccess, text: string): Ends {
  const { base, head, isDirect } = parseComparison(text, repo.row.default_branch)
  for (const side of [base, head]) refuseElsewhere(repo, side)
  return { base: getCommitRevision(context, repo.row, base.ref).oid, head: getCommitRevision(context, repo.row, head.ref).oid, isDirect }
}

function refuseElsewhere({ owner, row }: RepoAccess, side: ComparedSide): void {
  const isHere = (side.owner ?? owner.name).toLowerCase() === owner.lower_name && (side.repo ?? row.name).toLowerCase() === row.lower_name
  if (!isHere) throw new BadRequest(`Cannot compare with ${side.owner}: they have no fork of this repository`)
}
