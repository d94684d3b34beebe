import { mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Consolidated } from '#git/packs/write/consolidate.ts'
import { publishPacks, removePack } from '#git/packs/write/publish.ts'
import { discard, findDeletedTips, getState, markExact, refSnapshot, temporaryIn, writeDerived } from '#repositories/refs/index.ts'
import { writeGraph } from './commit-graph.ts'
import { listPacks } from './list-packs.ts'
import * as postponed from './postponed.ts'

/** How long to try to have a repository alone while others push to it or fetch from it, and how often. */
const EXCLUDE_MS = 2000
const TRY_AGAIN_MS = 20
/** Packs of no more bytes are joined in some ten milliseconds: on a new thread, which has compiled nothing yet, it takes several times as long. */
const BRIEF_BYTES = 2 * 1024 * 1024

/** What was joined: nothing, the smaller packs, or everything, and then old garbage was dropped. */
export type Joined = 'none' | 'small' | 'all'

/**
 * Joins everything and drops old garbage while pushes and fetches go on. Before garbage is dropped for good, everybody else is kept off the repository,
 * and no ref may have moved since the reachable objects were collected: else the new packs are thrown away and a later visit tries again.
 */
export async function joinAll(context: Context, repo: RepoRow): Promise<Joined> {
  const { version, chunks } = await refSnapshot(context, repo)
  const cutoff = context.clock.seconds() - context.config.git.GC_GRACE_HOURS * 3600
  // A branch may be older than that when it is deleted, and is to be restored until as long after.
  const spared = findDeletedTips(context.db, repo.id, cutoff)
  await using work = makeWorkPlace(context, repo)
  const result = await context.git.run('consolidate', repo.id, { chunks, cutoff, spared, quarantine: work.path })
  // Whoever reads the directory itself must not see a ref to what is about to go, nor find it in the graph.
  await writeDerived(context, repo.id)
  if (result.dropped > 0) await writeGraph(context, repo, () => true)
  const leave = result.dropped === 0 ? () => {} : await exclude(context, repo.id)
  const isCurrent = () => getState(context.db, repo.id).version === version
  if (!leave || (result.dropped > 0 && !isCurrent())) {
    leave?.()
    postponed.add(context, 'drop', repo.id)
    return 'none'
  }
  try {
    replacePacks(context, repo, result)
    const isAll = listPacks(context, repo).length === result.packs.length
    if (result.kept === 0 && isAll && isCurrent()) context.db.provisional((tx) => markExact(tx, repo.id, version))
  } finally {
    leave()
  }
  postponed.forget(context, 'drop', repo.id)
  return 'all'
}

/** Joins the smaller packs where there are many. Their objects are all in the new pack, so nothing is dropped: others may push and fetch meanwhile, and refs may move. */
export async function joinSmall(context: Pick<Context, 'config' | 'git' | 'services' | 'log'>, repo: RepoRow): Promise<Joined> {
  const packs = listPacks(context, repo)
  if (packs.length <= context.config.git.MAX_PACKS) return 'none'
  await using work = makeWorkPlace(context, repo)
  replacePacks(context, repo, await context.git.run('joinSmallPacks', repo.id, { quarantine: work.path }, isBriefJoin(packs)))
  return 'small'
}

/** Whether `joinSmallPacks` has little to do. It leaves a pack alone that has twice the objects of all smaller ones; the length of an index tells how many. */
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

/** Keeps everybody else off the repository, tried for a while; undefined when somebody was always in. Meanwhile nobody waits because of it. */
async function exclude(context: Pick<Context, 'jobs' | 'pushes'>, repoId: number): Promise<(() => void) | undefined> {
  for (const until = performance.now() + EXCLUDE_MS; ; await Bun.sleep(TRY_AGAIN_MS)) {
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
