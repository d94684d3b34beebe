import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/page.ts'
import { listBranches, listRefs } from '#repositories/refs/index.ts'
import { answerPage, type Visit } from '#web/index.ts'
import { countCommits } from './list-commits.ts'
import { GraphPage, type LogFilter, type LoggedCommit, LogPage } from './log-templates.tsx'
import { People } from './people.ts'
import type { RefPath } from './ref-path.ts'
import { refChoices } from './ref-picker.tsx'
import { getCommitRevision } from './revisions.ts'
import { verifyCommits } from './verification.ts'

/** Wider graphs are not drawn whole. */
const MAX_LANES = 24
/** So many branches are drawn, the newest, and so many tags named. */
const MAX_BRANCHES = 200
const MAX_TAGS = 500

/** Milliseconds that a search through a history may take. */
const SEARCH_MS = 3000

/** A page of a history, begun at one commit: what is pushed meanwhile moves nothing from one page to the next. */
export interface LogPlace {
  /** Where the first page began; else where the branch is now. */
  tip?: string | undefined
  page: Page
  filter: LogFilter
}

/** The log of a branch, tag or commit with its graph, or of a path. @throws NotFound when no commit touched that */
export async function showLog(context: Context, visit: Visit, repo: RepoAccess, place: RefPath, { tip, page, filter }: LogPlace): Promise<Response> {
  const first = tip === undefined ? place.commit : tipOf(context, repo, tip)
  const isFiltered = Object.values(filter).some((text) => text !== '')
  const { commits, isCut } = isFiltered
    ? await search(context, repo, { tip: first, path: place.path, filter }, page)
    : { commits: await (place.path === '' ? listGraph(context, repo, [first], page) : listOfPath(context, repo, first, place.path, page)), isCut: false }
  if (commits.length === 0 && page.page === 1 && place.path !== '' && !isFiltered) throw new NotFound(`No commit touched "${place.path}"`)
  const total = place.path === '' && !isFiltered ? await countCommits(context, repo.row.id, { include: [first], exclude: [] }) : undefined
  const shown = await describe(context, visit, commits.slice(0, page.limit))
  const props = { visit, repo, ...shown, page, hasMore: commits.length > page.limit, tip: first, filter, isCut, choices: refChoices(context, repo) }
  return answerPage(<LogPage {...props} place={place} total={total} />, 200, visit.unindexed)
}

/** The histories of all branches, or of those that are named, in one graph. */
export async function showGraph(context: Context, visit: Visit, repo: RepoAccess, names: readonly string[], page: Page): Promise<Response> {
  const branches = listBranches(context.db, repo.row.id, { limit: MAX_BRANCHES, offset: 0 })
  const asked = names.length === 0 ? branches : branches.filter(({ name }) => names.includes(name.slice(HEADS.length)))
  const found = asked.length === 0 ? [] : await listGraph(context, repo, [...new Set(asked.map(({ oid }) => oid as Oid))], page)
  const labelled = withRefs(found, [...branches, ...listRefs(context.db, repo.row.id, { prefix: TAGS, limit: MAX_TAGS })])
  const shown = await describe(context, visit, labelled.slice(0, page.limit))
  const props = { visit, repo, ...shown, page, hasMore: found.length > page.limit }
  const all = branches.map(({ name }) => name.slice(HEADS.length))
  return answerPage(<GraphPage {...props} branches={all} chosen={names} />, 200, visit.unindexed)
}

/** Who made commits, and what their signatures are worth. */
async function describe(context: Pick<Context, 'db' | 'services' | 'rootUrl'>, visit: Visit, commits: readonly LoggedCommit[]) {
  const people = new People(context, visit.viewer)
  people.meet(commits.flatMap(({ commit }) => (commit.gpgsig === undefined ? [commit.author.email] : [commit.author.email, commit.committer.email])))
  const verifications = await verifyCommits(context, people, commits)
  return { people, commits: commits.map((one, i) => ({ ...one, verification: verifications[i] })) }
}

function search({ git }: Pick<Context, 'git'>, { row }: RepoAccess, asked: { tip: Oid; path: string; filter: LogFilter }, { offset, limit }: Page) {
  const { by, saying, since, until } = asked.filter
  const range = { include: [asked.tip], exclude: [], path: asked.path || undefined, since: dayIn(since, 0), until: dayIn(until, DAY_SECONDS - 1) }
  return git.run('searchCommits', row.id, { range, by, saying, skip: offset, limit: limit + 1, milliseconds: SEARCH_MS })
}

const DAY_SECONDS = 86_400

/** A second of a day as forms send it; undefined for what is none. */
function dayIn(text: string, second: number): number | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time / 1000 + second
}

/** One more than the page has tells whether there are further ones. */
function listGraph({ git }: Pick<Context, 'git'>, { row }: RepoAccess, include: Oid[], { offset, limit }: Page): Promise<LoggedCommit[]> {
  return git.run('listGraph', row.id, { include, skip: offset, limit: limit + 1, maxLanes: MAX_LANES })
}

function listOfPath({ git }: Pick<Context, 'git'>, { row }: RepoAccess, tip: Oid, path: string, { offset, limit }: Page): Promise<LoggedCommit[]> {
  const range = { include: [tip], exclude: [], path }
  return git.run('listCommits', row.id, { range, skip: offset, limit: limit + 1, details: { stat: false, files: false } })
}

function tipOf(context: Pick<Context, 'db' | 'git'>, { row }: RepoAccess, tip: string): Oid {
  if (!/^[0-9a-f]{40,64}$/.test(tip)) throw new NotFound()
  return getCommitRevision(context, row, tip).oid
}

function withRefs(commits: readonly LoggedCommit[], refs: readonly { name: string; oid: string; peeled: string | null }[]): LoggedCommit[] {
  const byOid = Map.groupBy(refs, ({ oid, peeled }) => peeled ?? oid)
  return commits.map((commit) => ({ ...commit, refs: byOid.get(commit.oid)?.map(({ name }) => name.replace(/^refs\/(?:heads|tags)\//, '')) ?? [] }))
}
