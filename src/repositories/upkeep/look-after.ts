import { statSync } from 'node:fs'
import { findStoreById, isWikiId, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isLoss } from '#git/errors.ts'
import { KeyedMutex } from '#kernel/keyed-mutex.ts'
import { findLostTips, getState, markExact, markInexact, refSnapshot } from '#repositories/refs/index.ts'
import { measureRepo } from '#repositories/repos/index.ts'
import { keepBitmaps } from './bitmaps.ts'
import { isGraphBehind, writeGraph } from './commit-graph.ts'
import { type Joined, joinAll, joinSmall } from './join-packs.ts'
import { listPacks } from './list-packs.ts'
import * as postponed from './postponed.ts'

/** What one visit did. */
export interface UpkeepOutcome {
  joined: Joined
  graphWritten: boolean
}

/**
 * Brings one repository's derived files up to date (commit-graph, bitmaps, size), and joins its packs when there are many or old garbage is among them.
 * @param force joins all of them in any case
 */
export function lookAfter(context: Context, repo: RepoRow, force = false): Promise<UpkeepOutcome> {
  return context.services.get(VisitMutex).run(repo.id, () => lookAfterAlone(context, repo, force))
}

/** One visit of a repository at a time: two that join packs at once would bring back what the other leaves out as garbage. */
class VisitMutex extends KeyedMutex {}

async function lookAfterAlone(context: Context, repo: RepoRow, force: boolean): Promise<UpkeepOutcome> {
  let joined = (await unlessDamaged(context, repo, 'drop', () => dropGarbage(context, repo, force))) ?? 'none'
  if (joined === 'none') joined = await joinSmall(context, repo)
  const mayDerive = joined === 'all' || postponed.isDue(context, 'derive', repo.id)
  const graphWritten = mayDerive ? await unlessDamaged(context, repo, 'derive', () => derive(context, repo, joined)) : undefined
  if (!isWikiId(repo.id)) await measureRepo(context, repo.id)
  return { joined, graphWritten: graphWritten === true }
}

/** @returns undefined when none is to be dropped now */
async function dropGarbage(context: Context, repo: RepoRow, force: boolean): Promise<Joined | undefined> {
  await settleLostTips(context, repo)
  return force || hasOldGarbage(context, repo) ? joinAll(context, repo) : undefined
}

/** @returns true when the commit-graph was written */
async function derive(context: Context, repo: RepoRow, joined: Joined): Promise<true | undefined> {
  const graphWritten = await writeGraph(context, repo, () => joined === 'all' || isGraphBehind(context, repo))
  await keepBitmaps(context, repo)
  return graphWritten || undefined
}

/** Repositories of which it was told that they are damaged, until what could not be done is done. */
class ToldDamaged {
  readonly drop = new Set<number>()
  readonly derive = new Set<number>()
}

/**
 * Where something is damaged, part of the work cannot be done: that is told once and tried again later, and the rest is done all the same.
 * @param work comes to undefined when nothing was to be done, which tells nothing of the damage
 */
async function unlessDamaged<T>(context: Context, repo: RepoRow, part: 'drop' | 'derive', work: () => Promise<T | undefined>): Promise<T | undefined> {
  const told = context.services.get(ToldDamaged)[part]
  try {
    const done = await work()
    if (done !== undefined) told.delete(repo.id)
    return done
  } catch (error) {
    if (!isLoss(error) || !findStoreById(context.db, repo.id)) throw error
    postponed.add(context, part, repo.id)
    if (!told.has(repo.id)) context.log.error(failures[part], error, { repo: repo.id })
    told.add(repo.id)
    return undefined
  }
}

const failures = {
  drop: 'cannot remove unreachable objects of a damaged repository',
  derive: 'cannot write the commit-graph or bitmaps of a damaged repository',
}

function hasOldGarbage(context: Context, repo: RepoRow): boolean {
  if (getState(context.db, repo.id).is_exact === 1 || !postponed.isDue(context, 'drop', repo.id)) return false
  return listPacks(context, repo).some((pack) => isOlder(context, pack, context.config.git.GC_GRACE_HOURS))
}

/**
 * A store is exact when its refs reach every object in it: then a clone of everything is its packs as they lie, and nothing has to be walked. When a ref
 * is deleted or moved back, that is in doubt. This asks the history whether other refs still reach what was lost, as they do after a merge.
 */
async function settleLostTips(context: Context, repo: RepoRow): Promise<void> {
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

function isOlder(context: Pick<Context, 'clock'>, path: string, hours: number): boolean {
  return context.clock.millis() - statSync(path).mtimeMs > hours * 3600 * 1000
}
