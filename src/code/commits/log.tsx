import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/page.ts'
import { listBranches, listRefs } from '#repositories/refs/index.ts'
import { answerPage, type Visit } from '#web/index.ts'
import { countCommits } from './list-commits.ts'
import { GraphPage, type LoggedCommit, LogPage } from './log-templates.tsx'
import type { RefPath } from './ref-path.ts'
import { getCommitRevision } from './revisions.ts'

/** Wider graphs are not drawn whole. */
const MAX_LANES = 24
/** So many branches are drawn, the newest, and so many tags named. */
const MAX_BRANCHES = 200
const MAX_TAGS = 500

/** A page of a history, begun at one commit: what is pushed meanwhile moves nothing from one page to the next. */
export interface LogPlace {
  /** Where the first page began; else where the branch is now. */
  tip?: string | undefined
  page: Page
}

/** The log of a branch, tag or commit with its graph, or of a path. @throws NotFound when no commit touched that */
export async function showLog(context: Context, visit: Visit, repo: RepoAccess, place: RefPath, { tip, page }: LogPlace): Promise<Response> {
  const first = tip === undefined ? place.commit : tipOf(context, repo, tip)
  const found = place.path === '' ? await listGraph(context, repo, [first], page) : await listOfPath(context, repo, first, place.path, page)
  if (found.length === 0 && page.page === 1 && place.path !== '') throw new NotFound(`No commit touched "${place.path}"`)
  const total = place.path === '' ? await countCommits(context, repo.row.id, { include: [first], exclude: [] }) : undefined
  const props = { visit, repo, commits: found.slice(0, page.limit), page, hasMore: found.length > page.limit, tip: first }
  return answerPage(<LogPage {...props} place={place} total={total} />, 200, visit.unindexed)
}

/** The histories of all branches, or of those that are named, in one graph. */
export async function showGraph(context: Context, visit: Visit, repo: RepoAccess, names: readonly string[], page: Page): Promise<Response> {
  const branches = listBranches(context.db, repo.row.id, { limit: MAX_BRANCHES, offset: 0 })
  const asked = names.length === 0 ? branches : branches.filter(({ name }) => names.includes(name.slice(HEADS.length)))
  const found = asked.length === 0 ? [] : await listGraph(context, repo, [...new Set(asked.map(({ oid }) => oid as Oid))], page)
  const labelled = withRefs(found, [...branches, ...listRefs(context.db, repo.row.id, { prefix: TAGS, limit: MAX_TAGS })])
  const props = { visit, repo, commits: labelled.slice(0, page.limit), page, hasMore: found.length > page.limit }
  const all = branches.map(({ name }) => name.slice(HEADS.length))
  return answerPage(<GraphPage {...props} branches={all} chosen={names} />, 200, visit.unindexed)
}

/** One more than the page has tells whether there are further ones. */
function listGraph({ git }: Context, { row }: RepoAccess, include: Oid[], { offset, limit }: Page): Promise<LoggedCommit[]> {
  return git.run('listGraph', row.id, { include, skip: offset, limit: limit + 1, maxLanes: MAX_LANES })
}

function listOfPath({ git }: Context, { row }: RepoAccess, tip: Oid, path: string, { offset, limit }: Page): Promise<LoggedCommit[]> {
  const range = { include: [tip], exclude: [], path }
  return git.run('listCommits', row.id, { range, skip: offset, limit: limit + 1, details: { stat: false, files: false } })
}

function tipOf(context: Context, { row }: RepoAccess, tip: string): Oid {
  if (!/^[0-9a-f]{40,64}$/.test(tip)) throw new NotFound()
  return getCommitRevision(context, row, tip).oid
}

function withRefs(commits: readonly LoggedCommit[], refs: readonly { name: string; oid: string; peeled: string | null }[]): LoggedCommit[] {
  const byOid = Map.groupBy(refs, ({ oid, peeled }) => peeled ?? oid)
  return commits.map((commit) => ({ ...commit, refs: byOid.get(commit.oid)?.map(({ name }) => name.replace(/^refs\/(?:heads|tags)\//, '')) ?? [] }))
}
