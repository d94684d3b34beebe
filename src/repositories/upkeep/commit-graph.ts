import { statSync } from 'node:fs'
import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { commitGraphPath } from '#git/history/commit-graph.ts'
import { KeyedMutex } from '#kernel/keyed-mutex.ts'
import { refSnapshot, temporaryIn } from '#repositories/refs/index.ts'
import { listPacks } from './list-packs.ts'

/**
 * A commit-graph is written again after so many pushes, and one more for each so many bytes that it has: it can only be written whole, and the few
 * commits that it lacks cost readers little.
 */
const GRAPH_LAG = 16
const GRAPH_LAG_BYTES = 8 * 1024
/** A push of more is worth writing it again by itself. */
const MANY_BYTES = 1024 * 1024
/** A push of more is not walked before the commit-graph has its commits. */
const LARGE_BYTES = 16 * 1024 * 1024

/** By repository, pushes since its commit-graph was written: packs do not tell, for joining them leaves few. */
class PushesSinceGraph {
  readonly counts = new Map<number, number>()
}

/** Notes that a repository was pushed to. */
export function countPush({ services }: Pick<Context, 'services'>, repoId: number): void {
  const { counts } = services.get(PushesSinceGraph)
  counts.set(repoId, (counts.get(repoId) ?? 0) + 1)
}

/** One graph of a repository at a time: who waits for it finds it written. */
class GraphMutex extends KeyedMutex {}

/** Writes the commit-graph of all refs. @param isNeeded asked again once it is our turn @returns whether it was written */
export function writeGraph(context: Pick<Context, 'db' | 'git' | 'services'>, repo: RepoRow, isNeeded: () => boolean): Promise<boolean> {
  return context.services.get(GraphMutex).run(repo.id, async () => {
    if (!isNeeded()) return false
    await context.git.run('writeCommitGraph', repo.id, async () => {
      const { chunks } = await refSnapshot(context, repo)
      context.services.get(PushesSinceGraph).counts.delete(repo.id)
      return { chunks, temporary: temporaryIn(context.git.pathOf(repo.id)) }
    })
    return true
  })
}

/**
 * Writes the commit-graph when a very large pack came since it was written. Call it before walking all that a push brought: without a graph each walk
 * reads the commits from their packs, and holds them. A failure is logged only, as walks do without a graph, too.
 * @param largeBytes size of a pack that counts as very large
 */
export async function prepareWalks(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>,
  repo: RepoRow,
  largeBytes = LARGE_BYTES,
): Promise<void> {
  if (context.config.git.UPKEEP_SECONDS === 0) return
  try {
    await writeGraph(context, repo, () => sinceGraph(context, repo).newer.some((pack) => pack.size > largeBytes))
  } catch (error) {
    context.disk.report(error)
    context.log.error('cannot write a commit-graph', error, { repo: repo.id })
  }
}

/** The graph, if there is one, and the packs that came after it. */
function sinceGraph(context: Pick<Context, 'git'>, repo: RepoRow) {
  const graph = statSync(commitGraphPath(context.git.pathOf(repo.id)), { throwIfNoEntry: false })
  const newer = listPacks(context, repo)
    .map((path) => statSync(path))
    .filter((stat) => stat.mtimeMs > (graph?.mtimeMs ?? 0))
  return { graph, newer }
}

/** Whether many pushes, or one of many bytes, came since the graph was written. */
export function isGraphBehind(context: Pick<Context, 'git' | 'services'>, repo: RepoRow): boolean {
  const { graph, newer } = sinceGraph(context, repo)
  const pushes = Math.max(newer.length, context.services.get(PushesSinceGraph).counts.get(repo.id) ?? 0)
  return pushes >= GRAPH_LAG + (graph?.size ?? 0) / GRAPH_LAG_BYTES || newer.some((pack) => pack.size > MANY_BYTES)
}
