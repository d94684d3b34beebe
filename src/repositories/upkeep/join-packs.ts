import { rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Consolidated } from '#git/packs/write/consolidate.ts'
import { publishPacks, removePack } from '#git/packs/write/publish.ts'
import { identityOf } from '#git/store/file-identity.ts'
import { discard, findDeletedTips, getState, markExact, refSnapshot, temporaryIn, writeDerived } from '#repositories/refs/index.ts'
import { writeGraph } from './commit-graph.ts'
import { listPacks } from './list-packs.ts'
import * as postponed from './postponed.ts'

/** How often to try to have a repository alone while others push to it or fetch from it. */
const TRY_AGAIN_MS = 20
/** Packs of no more bytes are joined in some ten milliseconds: on a new thread, which has compiled nothing yet, it takes several times as long. */
const BRIEF_BYTES = 2 * 1024 * 1024

/** How long to try to have a repository alone. */
export class ExclusionLimit {
  milliseconds = 2000
}

/** What was joined: nothing, the smaller packs, or everything, and then old garbage was dropped. */
export type Joined = 'none' | 'small' | 'all'

/**
 * Joins everything and drops old garbage while pushes and fetches go on. Before garbage is dropped for good, everybody else is kept off the repository,
 * and no ref may have moved since the reachable objects were collected: else the new packs are thrown away and a later visit tries again.
 */
export async function joinAll(context: Context, repo: RepoRow): Promise<Joined> {
  let version = -1
  await using work = makeWorkPlace(context, repo)
  // Others may be worked on first: what is looked at is what there is once it is our turn.
  const result = await context.git.run('consolidate', repo.id, async () => {
    const snapshot = await refSnapshot(context, repo)
    version = snapshot.version
    const cutoff = context.clock.seconds() - context.config.git.GC_GRACE_HOURS * 3600
    // A branch may be older than that when it is deleted, and is to be restored until as long after.
    return { chunks: snapshot.chunks, cutoff, spared: findDeletedTips(context.db, repo.id, cutoff), quarantine: work.path }
  })
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

/** Packs that a join found damaged, by path, each with what its files were then: one that was mended or put back since is joined again. */
class LeftOut {
  readonly packs = new Map<string, string>()
}

/**
 * Joins the smaller packs where there are many, but for damaged ones. Their objects are all in the new pack, so nothing is dropped: others may push and
 * fetch meanwhile, and refs may move.
 */
export async function joinSmall(context: Pick<Context, 'config' | 'git' | 'services' | 'log'>, repo: RepoRow): Promise<Joined> {
  const { packs: known } = context.services.get(LeftOut)
  const leftOut = new Set<string>()
  const packs: string[] = []
  for (const path of listPacks(context, repo)) {
    if (known.has(path) && known.get(path) === stateOf(path)) leftOut.add(path)
    else packs.push(path)
  }
  if (packs.length <= context.config.git.MAX_PACKS) return 'none'
  await using work = makeWorkPlace(context, repo)
  const result = await context.git.run('joinSmallPacks', repo.id, { quarantine: work.path, leftOut }, isBriefJoin(packs))
  for (const [path, fault] of result.damaged) {
    known.set(path, stateOf(path))
    context.log.error('a pack is damaged and was left out while other packs were combined', fault, { repo: repo.id, pack: basename(path) })
  }
  replacePacks(context, repo, result)
  return 'small'
}

/** Changes with a pack, or its index. */
function stateOf(path: string): string {
  return `${identityOf(path)} ${identityOf(path.replace(/pack$/, 'idx'))}`
}

/** Whether `joinSmallPacks` has little to do. It leaves a pack alone that has twice the objects of all smaller ones; the length of an index tells how many. */
function isBriefJoin(packs: readonly string[]): boolean {
  const sizes = packs.map((path) => ({ pack: statSync(path).size, index: statSync(path.replace(/pack$/, 'idx'), { throwIfNoEntry: false })?.size ?? 0 }))
  const [largest, ...rest] = sizes.sort((a, b) => b.index - a.index)
  const [packed, indexed] = rest.reduce(([packs, indexes], { pack, index }) => [packs + pack, indexes + index], [0, 0])
  const isLeft = largest !== undefined && largest.index >= 2 * indexed
  return packed + (isLeft ? 0 : (largest?.pack ?? 0)) <= BRIEF_BYTES
}

/** Where new packs may be put, on the file system where they are to lie. */
function makeWorkPlace(context: Pick<Context, 'git' | 'services' | 'log'>, repo: RepoRow): { path: string } & AsyncDisposable {
  const path = temporaryIn(context.git.pathOf(repo.id))
  return { path, [Symbol.asyncDispose]: () => discard(context, path) }
}

/** Keeps everybody else off the repository, tried for a while; undefined when somebody was always in. Meanwhile nobody waits because of it. */
async function exclude(context: Pick<Context, 'tasks' | 'pushes' | 'services'>, repoId: number): Promise<(() => void) | undefined> {
  for (const until = performance.now() + context.services.get(ExclusionLimit).milliseconds; ; await Bun.sleep(TRY_AGAIN_MS)) {
    const leave = context.pushes.tryExclude(repoId)
    if (leave || performance.now() > until || context.tasks.isStopping) return leave
  }
}

function replacePacks(context: Pick<Context, 'git' | 'log'>, repo: RepoRow, result: Consolidated): void {
  const objects = join(context.git.pathOf(repo.id), 'objects')
  const added = publishPacks(result.packs, join(objects, 'pack'))
  removeReplaced(objects, result.replaced, added)
  const { packs, loose } = result.replaced
  context.log.info('combined packs', { repo: repo.id, packs: packs.length, loose: loose.length, kept: result.kept, dropped: result.dropped })
}

function removeReplaced(objects: string, replaced: { packs: string[]; loose: Oid[] }, added: ReadonlySet<string>): void {
  for (const path of replaced.packs) {
    if (!added.has(basename(path, '.pack'))) removePack(path)
  }
  for (const oid of replaced.loose) rmSync(join(objects, oid.slice(0, 2), oid.slice(2)), { force: true })
}
