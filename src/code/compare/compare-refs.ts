import type { RepoAccess, Viewer } from '#access/index.ts'
import { type Commit, type DetailsQuery, getNamedCommit, parseDetails, presentCommits, serveDiff, servePatches } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Where } from '#git/workers/service.ts'
import type { Peer } from '#kernel/answers/paced-stream.ts'
import { BadRequest } from '#kernel/errors.ts'
import { getHead } from '#repositories/forks/index.ts'
import { parseComparison } from './parse-comparison.ts'

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
  /** Where both are. */
  where: Where
  /** The repository of the head. */
  home: RepoAccess
}

/** The commits that a comparison's head has and its base has not, newest first. @throws as `endsOf` does */
export async function compareCommits(context: Context, viewer: Viewer, repo: RepoAccess, text: string, query: DetailsQuery): Promise<Compared> {
  const { total, commits } = await listCompared(context, viewer, repo, text, { query, limit: MAX_COMMITS })
  return { total_commits: total, commits: await presentCommits(context, viewer, repo, commits, query) }
}

/** The newest of them, and how many there are. @throws as `endsOf` does */
export async function listCompared(
  context: Pick<Context, 'db' | 'git'>,
  viewer: Viewer,
  repo: RepoAccess,
  text: string,
  { query, limit }: { query: DetailsQuery; limit: number },
): Promise<{ total: number; commits: CommitDetails[] }> {
  const { base, head, where } = await endsOf(context, viewer, repo, text)
  const range = { include: [head], exclude: [base] }
  const total = await context.git.run('countCommits', where, { range })
  const commits = total === 0 ? [] : await context.git.run('listCommits', where, { range, skip: 0, limit, details: parseDetails(query) })
  return { total, commits }
}

interface AskedText {
  text: string
  form: string
  peer: Peer
}

/** What a comparison's head has changed, as `git diff base...head` (or `base..head`) and `git format-patch base..head` print it. */
export async function compareText(context: Context, viewer: Viewer, repo: RepoAccess, { text, form, peer }: AskedText): Promise<Response> {
  if (form === 'diff') {
    const { where, from, to } = await findCompared(context, viewer, repo, text)
    return serveDiff(context, where, from, to, { peer })
  }
  const { base, head, where } = await endsOf(context, viewer, repo, text)
  if (form !== 'patch') throw new BadRequest(`[output]: expected diff or patch, not "${form}"`)
  return servePatches(context, where, [base], head, peer)
}

/** Between what a comparison tells the changes. @throws as `endsOf` does */
export async function findCompared(
  context: Pick<Context, 'db' | 'git'>,
  viewer: Viewer,
  repo: RepoAccess,
  text: string,
): Promise<{ where: Where; from: Oid; to: Oid; home: RepoAccess }> {
  const { base, head, isDirect, where, home } = await endsOf(context, viewer, repo, text)
  const from = isDirect ? base : await context.git.run('mergeBase', where, { a: base, b: head })
  // What has no common ancestor is compared as it is.
  return { where, from: from ?? base, to: head, home }
}

/** @throws BadRequest on syntax that is not understood, and a head in no fork; NotFound when a side names nothing */
async function endsOf(context: Pick<Context, 'db' | 'git'>, viewer: Viewer, repo: RepoAccess, text: string): Promise<Ends> {
  const { base, head, isDirect } = parseComparison(text, repo.row.default_branch)
  const { id } = repo.row
  if (getHead(context.db, viewer, repo, base).repo.row.id !== id) throw new BadRequest('The base of a comparison must be in this repository.')
  const { repo: home, ref } = getHead(context.db, viewer, repo, head)
  return {
    base: await getNamedCommit(context, repo.row, base.ref),
    head: await getNamedCommit(context, home.row, ref),
    isDirect,
    home,
    where: home.row.id === id ? id : { id, beside: home.row.id },
  }
}
