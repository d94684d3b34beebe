import { mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findStoreById, isWikiId, Losses, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import type { Consolidated } from '#git/packs/consolidate.ts'
import { publishPacks, removePack } from '#git/packs/publish.ts'
import { Stopping } from '#git/workers/pool.ts'
import { KeyedMutex } from '#kernel/keyed-mutex.ts'
import {
  discard,
  discardAgain,
  findDeletedTips,
  findLostTips,
  getState,
  markExact,
  markInexact,
  refSnapshot,
  sweepUnfinished,
  temporaryIn,
  writeDerived,
} from '#repositories/refs/index.ts'
import { measureRepo } from '#repositories/repos/index.ts'
import { keepBitmaps } from './bitmaps.ts'
import { checkPacks, checkSoon, isCheckDue } from './check-packs.ts'
import { listPacks } from './list-packs.ts'
import * as postponed from './postponed.ts'
import { listStoreIds } from './store.ts'

/** How long to ask for a repository that others are in, and how often. */
const ASKING_MS = 2000
const ASK_AGAIN_MS = 20
/** How long a repository is left alone after a push before it is looked at… */
const QUIET_MS = 2000
/** …unless so many came one after another. */
const MOST_PUSHES = 32
/** A commit-graph is brought up to date when so many pushes have passed it by… */
const GRAPH_LAG = 16
/** …and one more for each so many bytes of it: it is written whole, and what it lacks costs readers little. */
const GRAPH_LAG_BYTES = 8 * 1024
/** Histories that come in a pack of more are walked only once the commit-graph has them. */
const LARGE_BYTES = 16 * 1024 * 1024
/** Packs of no more bytes are joined in some ten milliseconds: in a thread of their own, which has compiled nothing yet, it takes several times as long. */
const BRIEF_BYTES = 2 * 1024 * 1024

/** Of the time between two visits, what may be spent on reading packs from end to end. */
const CHECKING_SHARE = 1 / 10

/** What one visit did. */
export interface UpkeepOutcome {
  /** `small`: the smaller packs were joined; `all`: everything was, and old garbage dropped. */
  joined: 'none' | 'small' | 'all'
  graphWritten: boolean
}

/** Looks after every repository now and then. Administrators know the task by Gitea's name. */
export function startUpkeep(context: Context): void {
  context.jobs.every(context.config.git.UPKEEP_SECONDS, 'git_gc_repos', () => visitAll(context))
  context.services.get(Losses).onLoss = (repoId) => checkSoon(context, repoId)
  // Until it is known whether others reach what a ref has lost, clones of everything look for it.
  context.events.onRecord((event) => {
    if (event.type === 'push' && event.changes.some(({ after, forced }) => forced || after === SHA1.zero)) expectUpkeep(context, event.repoId)
  })
  void context.jobs.start('remove leftovers', () => sweepAll(context))
}

/**
 * Removes what a crash left of pushes, commits and upkeep: this process has the store for itself, so whoever made it is dead. That may
 * also lie in the directory of a wiki that has not come to be.
 */
async function sweepAll(context: Pick<Context, 'git' | 'jobs'>): Promise<void> {
  for (const id of context.git.listIds()) {
    if (context.jobs.isStopping) return
    await sweepUnfinished(context.git.pathOf(id))
  }
}

/** One that cannot be looked after is logged, and does not keep the others waiting. */
export async function visitAll(context: Context): Promise<void> {
  await discardAgain(context)
  const until = performance.now() + context.config.git.UPKEEP_SECONDS * CHECKING_SHARE * 1000
  for (const id of listStoreIds(context.db)) {
    if (context.jobs.isStopping) return
    await visit(context, id)
    if (performance.now() < until && isCheckDue(context, id)) await checkPacks(context, id)
  }
}

/** Pushes to one repository that are waiting for a visit. */
interface Burst {
  pushes: number
  /** When the last one came, on the clock of `performance.now`. */
  last: number
}

class Expected {
  /** By repository. */
  readonly bursts = new Map<number, Burst>()
  /** By repository, pushes since its commit-graph was written, for joining packs leaves few of them. */
  readonly sinceGraph = new Map<number, number>()
}

/** Visits a repository soon, because it was pushed to, or lost a ref; a burst of pushes is one visit. */
export function expectUpkeep(context: Context, repoId: number): void {
  if (context.config.git.UPKEEP_SECONDS === 0) return
  const { bursts: waiting, sinceGraph } = context.services.get(Expected)
  sinceGraph.set(repoId, (sinceGraph.get(repoId) ?? 0) + 1)
  const burst = waiting.get(repoId) ?? { pushes: 0, last: 0 }
  burst.pushes++
  burst.last = performance.now()
  if (waiting.has(repoId)) return
  waiting.set(repoId, burst)
  const look = async (): Promise<void> => {
    const left = burst.last + QUIET_MS - performance.now()
    if (left > 1 && burst.pushes < MOST_PUSHES) return context.jobs.later(left, 'upkeep', look)
    waiting.delete(repoId)
    await visit(context, repoId)
  }
  context.jobs.later(QUIET_MS, 'upkeep', look)
}

async function visit(context: Context, repoId: number): Promise<void> {
  const repo = findStoreById(context.db, repoId)
  if (!repo || !postponed.isDue(context, repoId)) return
  try {
    await lookAfter(context, repo)
  } catch (error) {
    if (error instanceof Stopping || !findStoreById(context.db, repoId)) return
    context.disk.report(error)
    postponed.add(context, repoId)
    context.log.error('cannot look after a repository', error, { repo: repoId })
  }
}

/** Brings one repository's derived files up to date, and joins its packs when there are many or old garbage among them; with `force`, in any case. */
export function lookAfter(context: Context, repo: RepoRow, force = false): Promise<UpkeepOutcome> {
  return context.services.get(VisitMutex).run(repo.id, () => lookAfterAlone(context, repo, force))
}

/** One visit of a repository at a time: what one of them leaves out as garbage, another that began before would bring back. */
class VisitMutex extends KeyedMutex {}

async function lookAfterAlone(context: Context, repo: RepoRow, force: boolean): Promise<UpkeepOutcome> {
  const packs = listPacks(context, repo)
  await findOutWhatIsLost(context, repo)
  const hasGarbage = getState(context.db, repo.id).is_exact === 0 && packs.some((pack) => isOlder(context, pack, context.config.git.GC_GRACE_HOURS))
  let joined: UpkeepOutcome['joined'] = 'none'
  if (force || hasGarbage) joined = await joinAll(context, repo)
  else if (packs.length > context.config.git.MAX_PACKS) joined = await joinSmall(context, repo, packs)
  const graphWritten = await writeGraph(context, repo, () => joined === 'all' || isGraphBehind(context, repo))
  if (!isWikiId(repo.id)) await measureRepo(context, repo.id)
  await keepBitmaps(context, repo)
  return { joined, graphWritten }
}

/** Where refs reach all that others have lost, as they do what was merged, clones of everything need not look for what they may give out. */
async function findOutWhatIsLost(context: Context, repo: RepoRow): Promise<void> {
  if (getState(context.db, repo.id).is_exact === 1) return
  const { version, chunks } = await refSnapshot(context, repo)
  const oids = findLostTips(context.db, repo.id)
  if (!oids?.length || getState(context.db, repo.id).version !== version) return
  const areReached = await context.git.run('areReached', repo.id, { chunks, oids })
  context.db.tx((tx) => {
    if (getState(tx, repo.id).version !== version || !findLostTips(tx, repo.id)) return
    if (areReached) markExact(tx, repo.id, version)
    else markInexact(tx, repo.id)
  })
}

/**
 * Joins everything and drops old garbage while pushes and fetches go on. Where something goes for good, nobody else may be in at that
 * moment, and no ref may have moved since the reachable objects were counted; otherwise the new packs go and a later visit tries again.
 */
async function joinAll(context: Context, repo: RepoRow): Promise<UpkeepOutcome['joined']> {
  const { version, chunks } = await refSnapshot(context, repo)
  const cutoff = context.clock.seconds() - context.config.git.GC_GRACE_HOURS * 3600
  // A branch may be older than that when it is deleted, and is to be restored until as long after.
  const spared = findDeletedTips(context.db, repo.id, cutoff)
  await using work = makeWorkPlace(context, repo)
  const result = await context.git.run('consolidate', repo.id, { chunks, cutoff, spared, quarantine: work.path })
  // Whoever reads the directory itself must not see a ref to what is about to go, nor find it in the graph.
  await writeDerived(context, repo.id)
  if (result.dropped > 0) await writeGraph(context, repo, () => true)
  const leave = result.dropped === 0 ? () => {} : await askFor(context, repo.id)
  const isCurrent = () => getState(context.db, repo.id).version === version
  if (!leave || (result.dropped > 0 && !isCurrent())) {
    leave?.()
    postponed.add(context, repo.id)
    return 'none'
  }
  try {
    replacePacks(context, repo, result)
    const isAll = listPacks(context, repo).length === result.packs.length
    if (result.kept === 0 && isAll && isCurrent()) context.db.provisional((tx) => markExact(tx, repo.id, version))
  } finally {
    leave()
  }
  postponed.forget(context, repo.id)
  return 'all'
}

/**
 * Nothing is dropped here: all that goes is in the new pack, so others may be in, and refs may move.
 * @param packs paths of all there are
 */
async function joinSmall(context: Pick<Context, 'git' | 'services' | 'log'>, repo: RepoRow, packs: readonly string[]): Promise<UpkeepOutcome['joined']> {
  await using work = makeWorkPlace(context, repo)
  replacePacks(context, repo, await context.git.run('joinSmallPacks', repo.id, { quarantine: work.path }, isBriefJoin(packs)))
  return 'small'
}

/** Whether `joinSmallPacks` has little to do. What it goes by is how many objects a pack has: an index is about as large. */
function isBriefJoin(packs: readonly string[]): boolean {
  const sizes = packs.map((path) => ({ pack: statSync(path).size, index: statSync(path.replace(/pack$/, 'idx'), { throwIfNoEntry: false })?.size ?? 0 }))
  const [largest, ...rest] = sizes.sort((a, b) => b.index - a.index)
  const [packed, indexed] = rest.reduce(([packs, indexes], { pack, index }) => [packs + pack, indexes + index], [0, 0])
  const isLeft = largest !== undefined && largest.index >= 2 * indexed
  return packed + (isLeft ? 0 : (largest?.pack ?? 0)) <= BRIEF_BYTES
}

/** A directory for new packs, on the file system where they are to lie. */
function makeWorkPlace(context: Pick<Context, 'git' | 'services' | 'log'>, repo: RepoRow): { path: string } & AsyncDisposable {
  const path = temporaryIn(context.git.pathOf(repo.id))
  mkdirSync(path)
  return { path, [Symbol.asyncDispose]: () => discard(context, path) }
}

/** Asks for the repository now and again, for a while; nobody waits because of it. */
async function askFor(context: Pick<Context, 'jobs' | 'pushes'>, repoId: number): Promise<(() => void) | undefined> {
  for (const until = performance.now() + ASKING_MS; ; await Bun.sleep(ASK_AGAIN_MS)) {
    const leave = context.pushes.tryExclude(repoId)
    if (leave || performance.now() > until || context.jobs.isStopping) return leave
  }
}

function replacePacks(context: Pick<Context, 'git' | 'log'>, repo: RepoRow, result: Consolidated): void {
  const objects = join(context.git.pathOf(repo.id), 'objects')
  const added = publishPacks(result.packs, join(objects, 'pack'))
  removeReplaced(objects, result.replaced, added)
  const { packs, loose } = result.replaced
  context.log.info('joined packs', { repo: repo.id, packs: packs.length, loose: loose.length, kept: result.kept, dropped: result.dropped })
}

function removeReplaced(objects: string, replaced: { packs: string[]; loose: Oid[] }, added: ReadonlySet<string>): void {
  for (const path of replaced.packs) {
    if (!added.has(basename(path, '.pack'))) removePack(path)
  }
  for (const oid of replaced.loose) rmSync(join(objects, oid.slice(0, 2), oid.slice(2)), { force: true })
}

/** One graph of a repository at a time: who waits for it finds it written. */
class GraphMutex extends KeyedMutex {}

/** Writes the commit-graph if that is needed still once nobody else does; answers whether it was. */
function writeGraph(context: Pick<Context, 'db' | 'git' | 'services'>, repo: RepoRow, isNeeded: () => boolean): Promise<boolean> {
  return context.services.get(GraphMutex).run(repo.id, async () => {
    if (!isNeeded()) return false
    const { chunks } = await refSnapshot(context, repo)
    context.services.get(Expected).sinceGraph.delete(repo.id)
    await context.git.run('writeCommitGraph', repo.id, { chunks, temporary: temporaryIn(context.git.pathOf(repo.id)) })
    return true
  })
}

/**
 * Has the commit-graph written when a very large pack came since: call it before a walk over all that a push brought. Without it each walk reads
 * the commits for itself, and holds them. What goes wrong with that is logged, and no reason not to walk.
 */
export async function prepareWalks(context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>, repo: RepoRow): Promise<void> {
  if (context.config.git.UPKEEP_SECONDS === 0) return
  try {
    await writeGraph(context, repo, () => sinceGraph(context, repo).newer.some((pack) => pack.size > LARGE_BYTES))
  } catch (error) {
    context.disk.report(error)
    context.log.error('cannot write a commit-graph', error, { repo: repo.id })
  }
}

/** The graph, if there is one, and the packs that came after it. */
function sinceGraph(context: Pick<Context, 'git'>, repo: RepoRow) {
  const graph = statSync(join(context.git.pathOf(repo.id), 'objects', 'info', 'commit-graph'), { throwIfNoEntry: false })
  const newer = listPacks(context, repo)
    .map((path) => statSync(path))
    .filter((stat) => stat.mtimeMs > (graph?.mtimeMs ?? 0))
  return { graph, newer }
}

/** Whether many packs, or a large one, came since the graph was written. */
function isGraphBehind(context: Pick<Context, 'git' | 'services'>, repo: RepoRow): boolean {
  const { graph, newer } = sinceGraph(context, repo)
  const pushes = Math.max(newer.length, context.services.get(Expected).sinceGraph.get(repo.id) ?? 0)
  return pushes >= GRAPH_LAG + (graph?.size ?? 0) / GRAPH_LAG_BYTES || newer.some((stat) => stat.size > 1024 * 1024)
}

function isOlder(context: Pick<Context, 'clock'>, path: string, hours: number): boolean {
  return context.clock.millis() - statSync(path).mtimeMs > hours * 3600 * 1000
}
