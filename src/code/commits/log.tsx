import { decorate, type RepoAccess } from '#access/index.ts'
import { statusMarks } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import type { LogAnswer } from '#git/workers/log-tasks.ts'
import { NotFound } from '#kernel/errors.ts'
import type { Page } from '#kernel/page.ts'
import { getCommitRevision, listBranches, listRefs } from '#repositories/refs/index.ts'
import { answerPage, type Html, type Visit } from '#web/index.ts'
import { addressWith } from './changes-query.ts'
import { countCommits } from './list-commits.ts'
import { formatCursor, type LogCursor } from './log-cursor.ts'
import { GraphPage, type LogFilter, type LoggedCommit, LogPage, type LogPages, Rows } from './log-templates.tsx'
import type { LogTrail } from './log-trail.ts'
import { People } from './people.ts'
import type { RefPath } from './ref-path.ts'
import { refChoices } from './ref-picker.tsx'
import { verifyCommits } from './verification.ts'

/** Wider graphs are not drawn whole. */
const MAX_LANES = 24
/** So many branches are drawn, the newest, and so many tags named. */
const MAX_BRANCHES = 200
const MAX_TAGS = 500

/** Milliseconds that a search through a history may take. */
const SEARCH_MS = 3000

/** A page of a history: what is pushed meanwhile moves nothing from one page to the next. */
export interface LogPlace {
  /** Where the first page began; else where the branch is now. */
  tip?: string | undefined
  /** Where this one begins; else at the tip, behind so many commits as the pages before have. */
  cursor?: LogCursor | undefined
  trail: LogTrail
  page: Page
  filter: LogFilter
}

/** The log of a branch, tag or commit with its graph, or of a path. @throws NotFound when no commit touched that */
export async function showLog(
  context: Context,
  visit: Visit,
  repo: RepoAccess,
  place: RefPath,
  { tip, cursor, trail, page, filter }: LogPlace,
): Promise<Response> {
  const first = tip === undefined ? place.commit : await tipOf(context, repo, tip)
  const isFiltered = Object.values(filter).some((text) => text !== '')
  const { rows, next, isCut } = await read(context, repo, { tips: [first], cursor, page }, { ...filter, path: place.path })
  if (rows.length === 0 && !cursor && page.page === 1 && place.path !== '' && !isFiltered) throw new NotFound(`No commits changed "${place.path}"`)
  const count = () => countCommits(context, repo.row.id, { include: [first], exclude: [] })
  const total = place.path === '' && !isFiltered ? await decorate(context, 'the number of commits', count, undefined) : undefined
  const shown = await describe(context, visit, repo, rows)
  const pages = pagesOf(visit, { cursor, trail, next, tip: first })
  const props = { visit, repo, ...shown, pages, filter, isCut, choices: refChoices(context, repo) }
  return answerPage(<LogPage {...props} place={place} total={total} />, 200, visit.unindexed)
}

/** What of a graph of several branches is asked for. */
interface GraphPlace {
  names: readonly string[]
  cursor?: LogCursor | undefined
  trail: LogTrail
  page: Page
}

/** The histories of all branches, or of those that are named, in one graph. */
export async function showGraph(context: Context, visit: Visit, repo: RepoAccess, { names, cursor, trail, page }: GraphPlace): Promise<Response> {
  const branches = listBranches(context.db, repo.row.id, { limit: MAX_BRANCHES, offset: 0 })
  const asked = names.length === 0 ? branches : branches.filter(({ name }) => names.includes(name.slice(HEADS.length)))
  const tips = [...new Set(asked.map(({ oid }) => oid as Oid))]
  const { rows, next } = tips.length === 0 ? { rows: [], next: undefined } : await read(context, repo, { tips, cursor, page }, noFilter)
  const labelled = withRefs(rows, [...branches, ...listRefs(context.db, repo.row.id, { prefix: TAGS, limit: MAX_TAGS })])
  const shown = await describe(context, visit, repo, labelled)
  const pages = pagesOf(visit, { cursor, trail, next, tip: undefined })
  const all = branches.map(({ name }) => name.slice(HEADS.length))
  return answerPage(<GraphPage visit={visit} repo={repo} {...shown} pages={pages} branches={all} chosen={names} />, 200, visit.unindexed)
}

const noFilter = { by: '', saying: '', since: '', until: '', path: '' }

/** @throws NotFound when the page is to begin behind a commit that is not of this history */
async function read(
  { git }: Pick<Context, 'git'>,
  { row }: RepoAccess,
  { tips, cursor, page }: { tips: Oid[]; cursor: LogCursor | undefined; page: Page },
  { by, saying, since, until, path }: LogFilter & { path: string },
): Promise<LogAnswer> {
  const filter = { by, saying, path: path || undefined, since: dayIn(since, 0), until: dayIn(until, DAY_SECONDS - 1) }
  const skip = cursor ? 0 : page.offset
  const found = await git.run('readLog', row.id, { start: { tips, ...cursor }, filter, skip, limit: page.limit, maxLanes: MAX_LANES, milliseconds: SEARCH_MS })
  if (!found.hasBegun) throw new NotFound()
  return found
}

interface Around {
  cursor: LogCursor | undefined
  trail: LogTrail
  next: LogAnswer['next']
  tip: Oid | undefined
}

/** Addresses of the pages around one. */
function pagesOf(visit: Visit, { cursor, trail, next, tip }: Around): LogPages {
  const { newer } = trail
  return {
    next: next && addressOf(visit, { tip, ...formatCursor(next), trail: trail.onward }),
    newer: newer && addressOf(visit, { tip, ...newer }),
    first: cursor && addressOf(visit, {}),
  }
}

/** The page's own address with another place in the history. */
function addressOf(visit: Visit, place: Record<string, string | undefined>): string {
  return addressWith(visit.below(visit.path), { page: undefined, tip: undefined, after: undefined, front: undefined, trail: undefined, ...place })
}

/** Commits day by day, with their authors, signatures and statuses. */
export async function showCommits(
  context: Pick<Context, 'db' | 'log' | 'services' | 'rootUrl'>,
  visit: Visit,
  repo: RepoAccess,
  commits: readonly CommitDetails[],
): Promise<Html | null> {
  const shown = await describe(context, visit, repo, commits)
  return <Rows visit={visit} repo={repo} {...shown} />
}

/** The accounts behind commits, their signatures and their statuses. */
async function describe(context: Pick<Context, 'db' | 'log' | 'services' | 'rootUrl'>, visit: Visit, repo: RepoAccess, commits: readonly LoggedCommit[]) {
  const people = new People(context, visit.viewer)
  people.meet(commits.flatMap(({ commit }) => (commit.gpgsig === undefined ? [commit.author.email] : [commit.author.email, commit.committer.email])))
  const verifications = await decorate(context, 'signatures', () => verifyCommits(context, people, commits), [])
  const oids = commits.map(({ oid }) => oid)
  const marks = await statusMarks(context, visit, repo, oids)
  return { people, marks, commits: commits.map((one, i) => ({ ...one, verification: verifications[i] })) }
}

const DAY_SECONDS = 86_400

/** A second of a day as forms send it; undefined for what is none. */
function dayIn(text: string, second: number): number | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time / 1000 + second
}

async function tipOf(context: Pick<Context, 'db' | 'git'>, { row }: RepoAccess, tip: string): Promise<Oid> {
  if (!/^[0-9a-f]{40,64}$/.test(tip)) throw new NotFound()
  return (await getCommitRevision(context, row, tip)).oid
}

function withRefs(commits: readonly LoggedCommit[], refs: readonly { name: string; oid: string; peeled: string | null }[]): LoggedCommit[] {
  const byOid = Map.groupBy(refs, ({ oid, peeled }) => peeled ?? oid)
  return commits.map((commit) => ({ ...commit, refs: byOid.get(commit.oid)?.map(({ name }) => name.replace(/^refs\/(?:heads|tags)\//, '')) ?? [] }))
}
