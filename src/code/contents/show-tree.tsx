import { decorate, KeptPages, type RepoAccess } from '#access/index.ts'
import { countCommits, People, type RefPath, readBlob, refChoices, verifyCommits } from '#code/commits/index.ts'
import { statusMarks } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { ListedEntry, TreeListing } from '#git/browse/list-tree.ts'
import type { Oid } from '#git/objects/oid.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import { type Page, pageOfSize } from '#kernel/page.ts'
import { doneWithin } from '#kernel/wait-at-most.ts'
import { answerPage, answerPart, type Html, type Visit } from '#web/index.ts'
import { renderAbout } from './about.tsx'
import { type CountedDirectory, findLastCommits, findLastCommitsSoon, type LastCommits } from './last-commits.ts'
import { indexing, isMarkdown, renderDocument } from './show-document.tsx'
import { readSubmodules } from './submodules.ts'
import { Entries, type HeadCommit, joined, type Listing, TreePage } from './tree-templates.tsx'
import { contentType } from './view.ts'

/** Entries of a page of a directory. */
const PAGE_SIZE = 1000
const MAX_README_BYTES = 1024 * 1024
/** In milliseconds: a page waits so long for what a walk through history tells. */
const SOON = 150
const TREE = 0o040000
const readme = /^readme(?:\.(?:md|markdown|txt))?$/i

/** What of a directory is asked for. */
export interface TreeQuery {
  page?: string | undefined
  /** `all`: the last commits of all entries, however long they take. */
  last?: string | undefined
  /** Only the list, as a part of the page. */
  fragment?: string | undefined
}

/** A directory of a commit. @param tree its own */
export async function showTree(context: Context, visit: Visit, repo: RepoAccess, place: RefPath, tree: Oid, query: TreeQuery, offer?: Html): Promise<Response> {
  const page = pageOfSize(query.page, PAGE_SIZE)
  const [found, head] = await Promise.all([
    listEntries(context, repo, tree, page),
    decorate(context, 'the last commit', () => findHead(context, visit, repo, place), undefined),
  ])
  const listing = await withLast(context, repo, place, found, query.last === 'all')
  const props = { visit, repo, place, listing }
  if (query.fragment !== undefined) return answerPart(<Entries {...props} />)
  const isHome = place.path === '' && place.kind === 'branch' && place.name === repo.row.default_branch
  const about = isHome
    ? await decorate(context, 'what the repository is about', () => renderAbout(context, { visit, repo, entries: found.entries }), undefined)
    : undefined
  const file = await decorate(context, 'the README', () => findReadme(context, visit, repo, place, found.entries), undefined)
  const more = { page, choices: refChoices(context, repo), head, readme: file, about, offer }
  return answerPage(<TreePage {...props} {...more} />, 200, indexing(visit, repo, place))
}

/** Trees never change. Of one entry they take so many bytes, together so many. */
const ENTRY_SIZE = 200
const MOST_KEPT = 4_194_304

class KeptListings extends KeptWork<TreeListing> {
  constructor() {
    super(MOST_KEPT, ({ entries }) => (entries.length + 1) * ENTRY_SIZE)
  }
}

/** Directories come first. */
async function listEntries(
  { git, services }: Pick<Context, 'git' | 'services'>,
  { row: { id } }: RepoAccess,
  tree: Oid,
  { offset, limit }: Page,
): Promise<TreeListing> {
  const list = () => git.run('listTree', id, { tree, options: { recursive: false, offset, limit } })
  const { entries, total } = await services.get(KeptListings).answer(`${id} ${tree} ${offset} ${limit}`, list)
  return { entries: entries.toSorted((a, b) => Number(b.mode === TREE) - Number(a.mode === TREE)), total }
}

async function withLast(
  context: Pick<Context, 'db' | 'git' | 'log' | 'services'>,
  repo: RepoAccess,
  place: RefPath,
  { entries, total }: TreeListing,
  isWaiting: boolean,
): Promise<Listing> {
  const { id } = repo.row
  // Of a directory with several pages, only those of this one.
  const names = entries.length < total ? entries.map(({ path }) => path) : undefined
  const directory = { tip: place.commit, dir: place.path, names, count: entries.length }
  const hasSubmodules = entries.some(({ mode }) => contentType(mode) === 'submodule')
  const [last, submodules] = await Promise.all([
    entries.length === 0 ? noCommits : lastIn(context, id, directory, isWaiting),
    hasSubmodules ? decorate(context, 'addresses of submodules', () => submodulesAt(context, id, place.commit), noSubmodules) : noSubmodules,
  ])
  if (last.size < entries.length) context.services.get(KeptPages).leaveOut()
  return { entries, total, last, submodules }
}

const noCommits: LastCommits = new Map()
const noSubmodules: ReadonlyMap<string, string> = new Map()

async function submodulesAt(context: Pick<Context, 'git'>, id: number, commit: Oid): Promise<ReadonlyMap<string, string>> {
  return readSubmodules(context, id, (await context.git.look('links', id, { oid: commit })).tree)
}

/** Files are shown where their history is damaged. */
function lastIn(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, id: number, directory: CountedDirectory, isWaiting: boolean): Promise<LastCommits> {
  return decorate(
    context,
    'last commits',
    () => (isWaiting ? findLastCommits(context, id, directory) : findLastCommitsSoon(context, id, directory, SOON)),
    noCommits,
  )
}

async function commitOf({ git }: Pick<Context, 'git'>, { row }: RepoAccess, oid: Oid): Promise<CommitDetails> {
  const [commit] = await git.look('commits', row.id, { oids: [oid] })
  return commit as CommitDetails
}

/** The commit that is shown, or below its root the last one that changed the directory. Undefined when it is not found soon. */
async function findHead(context: Context, visit: Visit, repo: RepoAccess, place: RefPath): Promise<HeadCommit | undefined> {
  const details = place.path === '' ? await commitOf(context, repo, place.commit) : await lastOf(context, repo, place)
  if (!details) {
    context.services.get(KeptPages).leaveOut()
    return undefined
  }
  const people = new People(context, visit.viewer)
  const [verification] = await decorate(context, 'signatures', () => verifyCommits(context, people, [details]), [])
  const count = place.path === '' ? await countSoon(context, repo, place.commit) : undefined
  const marks = await statusMarks(context, visit, repo, [details.oid])
  return { details, verification, people, count, mark: marks(details.oid) }
}

async function lastOf(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, { row }: RepoAccess, place: RefPath) {
  const slash = place.path.lastIndexOf('/')
  const name = place.path.slice(slash + 1)
  const directory = { tip: place.commit, dir: place.path.slice(0, Math.max(0, slash)), names: [name], count: 1 }
  return (await lastIn(context, row.id, directory, false)).get(name)
}

async function countSoon(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, { row }: RepoAccess, tip: Oid): Promise<number | undefined> {
  const counted = decorate(context, 'the number of commits', () => countCommits(context, row.id, { include: [tip], exclude: [] }), undefined)
  const count = await doneWithin(counted, SOON, undefined)
  if (count === undefined) context.services.get(KeptPages).leaveOut()
  return count
}

async function findReadme(context: Pick<Context, 'git' | 'services'>, visit: Visit, repo: RepoAccess, place: RefPath, entries: readonly ListedEntry[]) {
  const file = entries.find((one) => readme.test(one.path) && contentType(one.mode) === 'file' && one.size <= MAX_README_BYTES)
  if (!file) return undefined
  const data = await readBlob(context, repo.row.id, file.oid, MAX_README_BYTES)
  const path = joined(place.path, file.path)
  const text = Buffer.from(data).toString('utf8')
  const html = isMarkdown(path) ? await renderDocument(context, visit, repo, place, path, text) : undefined
  return { name: file.path, html: html ?? <pre>{text}</pre> }
}
