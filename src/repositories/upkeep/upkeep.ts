import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { accessStore, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Consolidated } from '#git/packs/consolidate.ts'
import { publishPacks } from '#git/packs/publish.ts'
import { randomHex } from '#kernel/ids.ts'
import { getState, listRefs, markExact, writeDerived } from '#repositories/refs/index.ts'
import { measureRepo } from '#repositories/repos/index.ts'
import { listRepoIds } from './store.ts'

/** A quarantine this old belongs to no push that is still under way. */
const STALE_QUARANTINE_MS = 24 * 3600 * 1000
/** How long a repository is left alone after a push before it is looked at… */
const QUIET_MS = 2000
/** …unless so many came one after another. */
const MOST_PUSHES = 32
/** A commit-graph is brought up to date when this many pushes have passed it by. */
const GRAPH_LAG = 16

/** What one visit did. */
export interface UpkeepOutcome {
  /** `small`: the smaller packs were joined; `all`: everything was, and old garbage dropped. */
  joined: 'none' | 'small' | 'all'
  graphWritten: boolean
}

/** Looks after every repository now and then. Administrators know the task by Gitea's name. */
export function startUpkeep(context: Context): void {
  context.jobs.every(context.config.git.UPKEEP_SECONDS, 'git_gc_repos', async () => {
    for (const id of listRepoIds(context.db)) {
      if (context.jobs.isStopping) return
      await visit(context, id)
    }
  })
}

/** Pushes to one repository that are waiting for a visit. */
interface Burst {
  pushes: number
  /** When the last one came, on the clock of `performance.now`. */
  last: number
}

const expected = new WeakMap<Context, Map<number, Burst>>()

/** Visits a repository soon, because it was pushed to; a burst of pushes is one visit. */
export function expectUpkeep(context: Context, repoId: number): void {
  if (context.config.git.UPKEEP_SECONDS === 0) return
  const waiting = expected.get(context) ?? new Map<number, Burst>()
  expected.set(context, waiting)
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
  const repo = accessStore.findRepoById(context.db, repoId)
  if (repo) await lookAfter(context, repo)
}

/** Brings one repository's derived files up to date, and joins its packs when there are many or old garbage among them; with `force`, in any case. */
export async function lookAfter(context: Context, repo: RepoRow, force = false): Promise<UpkeepOutcome> {
  removeStaleQuarantines(context, repo)
  const packs = listPacks(context, repo)
  const hasGarbage = getState(context.db, repo.id).is_exact === 0 && packs.some((pack) => isOlder(pack, context.config.git.GC_GRACE_HOURS))
  let joined: UpkeepOutcome['joined'] = 'none'
  if (force || hasGarbage) joined = (await joinAll(context, repo)) ? 'all' : 'none'
  else if (packs.length > context.config.git.MAX_PACKS) joined = (await joinSmall(context, repo)) ? 'small' : 'none'
  const graphWritten = joined === 'all' || isGraphBehind(context, repo)
  if (graphWritten) await writeGraph(context, repo)
  await measureRepo(context, repo.id)
  return { joined, graphWritten }
}

/**
 * Joins everything and drops old garbage while pushes and fetches go on. Only the moment in which the old packs go is
 * exclusive, and they go only when no ref has moved since the reachable objects were counted; otherwise the new packs
 * go and a later visit tries again.
 */
async function joinAll(context: Context, repo: RepoRow): Promise<boolean> {
  const { version } = getState(context.db, repo.id)
  const tips = [...new Set(listRefs(context.db, repo.id).map((ref) => ref.oid))]
  const cutoff = context.clock.seconds() - context.config.git.GC_GRACE_HOURS * 3600
  return replacePacks(
    context,
    repo,
    (quarantine) => context.git.run('consolidate', repo.id, { tips, cutoff, quarantine }),
    (result) => {
      if (getState(context.db, repo.id).version !== version) return false
      // Whoever reads the directory itself must not see a ref to what is about to go.
      writeDerived(context, repo.id)
      if (result.kept === 0) context.db.tx((tx) => markExact(tx, repo.id, version))
      return true
    },
  )
}

/** Nothing is dropped here, so refs may move meanwhile. */
function joinSmall(context: Context, repo: RepoRow): Promise<boolean> {
  return replacePacks(
    context,
    repo,
    (quarantine) => context.git.run('joinSmallPacks', repo.id, { quarantine }),
    () => true,
  )
}

async function replacePacks(
  context: Context,
  repo: RepoRow,
  write: (quarantine: string) => Promise<Consolidated>,
  mayReplace: (result: Consolidated) => boolean,
): Promise<boolean> {
  const objects = join(context.git.pathOf(repo.id), 'objects')
  const quarantine = join(objects, `tmp_upkeep-${randomHex(8)}`)
  mkdirSync(quarantine)
  const result = await write(quarantine)
  const leave = context.pushes.tryExclude(repo.id)
  try {
    if (!leave || !mayReplace(result)) return false
    const added = publishPacks(result.packs, join(objects, 'pack'))
    removeReplaced(objects, result.replaced, added)
    context.log.info('joined packs', {
      repo: repo.id,
      packs: result.replaced.packs.length,
      loose: result.replaced.loose.length,
      kept: result.kept,
      dropped: result.dropped,
    })
    return true
  } finally {
    leave?.()
    rmSync(quarantine, { recursive: true, force: true })
  }
}

function removeReplaced(objects: string, replaced: { packs: string[]; loose: Oid[] }, added: ReadonlySet<string>): void {
  for (const path of replaced.packs) {
    const stem = path.slice(0, -'.pack'.length)
    if (added.has(basename(stem))) continue
    for (const ending of ['.idx', '.rev', '.bitmap', '.mtimes', '.promisor', '.pack']) rmSync(stem + ending, { force: true })
  }
  for (const oid of replaced.loose) rmSync(join(objects, oid.slice(0, 2), oid.slice(2)), { force: true })
}

async function writeGraph(context: Context, repo: RepoRow): Promise<void> {
  const ends = listRefs(context.db, repo.id).map((ref) => ref.peeled ?? ref.oid)
  await context.git.run('writeCommitGraph', repo.id, { ends: [...new Set(ends)] })
}

/** Whether many packs, or a large one, came since the graph was written. */
function isGraphBehind(context: Context, repo: RepoRow): boolean {
  const graph = statSync(join(context.git.pathOf(repo.id), 'objects', 'info', 'commit-graph'), { throwIfNoEntry: false })
  const newer = listPacks(context, repo)
    .map((path) => statSync(path))
    .filter((stat) => stat.mtimeMs > (graph?.mtimeMs ?? 0))
  return newer.length >= GRAPH_LAG || newer.some((stat) => stat.size > 1024 * 1024)
}

function isOlder(path: string, hours: number): boolean {
  return Date.now() - statSync(path).mtimeMs > hours * 3600 * 1000
}

function listPacks(context: Context, repo: RepoRow): string[] {
  const directory = join(context.git.pathOf(repo.id), 'objects', 'pack')
  return readdirSync(directory)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(directory, name))
}

function removeStaleQuarantines(context: Context, repo: RepoRow): void {
  const objects = join(context.git.pathOf(repo.id), 'objects')
  for (const name of readdirSync(objects)) {
    const path = join(objects, name)
    if (/^tmp_(incoming|upkeep)-/.test(name) && Date.now() - statSync(path).mtimeMs > STALE_QUARANTINE_MS) rmSync(path, { recursive: true, force: true })
  }
}
