import { existsSync } from 'node:fs'
import { findStoreById, isWikiId } from '#access/index.ts'
import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { Busy } from '#kernel/errors.ts'
import { getState, listRefs, markInexact } from '#repositories/refs/index.ts'
import { ComingRepos, removeDirectories, setAside } from './remove-directories.ts'
import { giveUpComing, isRepoKnown, listComing, listRepoIds } from './store.ts'
import { sweepUnfilled } from './unfilled.ts'

const SWEEP_SECONDS = 3600
const AT_ONCE = 500

/** Sweeps now and then, for the first time at once; what a crash interrupted goes on. */
export function startSweeping(context: Context): void {
  context.tasks.every(SWEEP_SECONDS, 'remove_deleted_repositories', () => sweepRemoved(context))
  context.tasks.runTask('remove_deleted_repositories')
}

/**
 * Finishes deletions that a crash interrupted or a disk refused, gives up what they interrupted the making of, and clears away
 * directories that no row knows, or puts them back where one does again; of rows without a directory it tells. For who has the store for itself:
 * what another process is making would look left over.
 */
export async function sweepRemoved(context: Context): Promise<void> {
  giveUpDead(context)
  sweepUnfilled(context)
  await removeDirectories(context)
  await putBackAll(context)
  const directories = await context.git.listIds()
  await eachInTurns(context, directories, (id) => {
    unlessRefused(context, context.git.pathOf(id), () => clearAway(context, id))
  })
  await tellOfMissing(context, new Set(directories))
}

/** There may be a hundred thousand of them: others have their turn in between. Ends where the server stops. */
async function eachInTurns(context: Pick<Context, 'tasks'>, ids: Iterable<number>, work: (id: number) => void): Promise<void> {
  for (const id of ids) {
    if (isDue()) await breathe()
    if (context.tasks.isStopping) return
    work(id)
  }
}

function giveUpDead(context: Pick<Context, 'db' | 'services' | 'clock'>): void {
  const { ids } = context.services.get(ComingRepos)
  const dead = listComing(context.db).filter((id) => !ids.has(id))
  for (const id of dead) context.db.tx((tx) => giveUpComing(tx, id, context.clock.seconds()))
}

/** What an older database knew nothing of, and the newer one does that was put in its place again; in between its number may have been given out. */
async function putBackAll(context: Pick<Context, 'clock' | 'db' | 'disk' | 'git' | 'log'>): Promise<void> {
  for (const { id, path } of await context.git.listAside()) if (id !== undefined) unlessRefused(context, path, () => putBack(context, id, path))
}

function putBack(context: Pick<Context, 'clock' | 'db' | 'git' | 'log'>, id: number, path: string): void {
  const [ref] = findStoreById(context.db, id) === undefined ? [] : listRefs(context.db, id, { limit: 1 })
  if (ref === undefined) return
  const isBack = context.db.tx((tx) => {
    if (!context.git.putBack(id, path, ref.oid, context.clock.seconds())) return false
    markInexact(tx, id)
    return true
  })
  if (isBack) context.log.warn('restored a directory that was moved aside, because a repository uses it again', { path: context.git.pathOf(id) })
}

/** A store that was copied in part is served all the same, and to whoever asks such a repository looks empty: the log is where it shows. */
async function tellOfMissing(context: Pick<Context, 'db' | 'git' | 'tasks' | 'log'>, directories: ReadonlySet<number>): Promise<void> {
  const { db, git, tasks, log } = context
  let [missing, first] = [0, '']
  for (let ids = listRepoIds(db, 0, AT_ONCE); ids.length > 0; ids = listRepoIds(db, ids.at(-1) ?? 0, AT_ONCE)) {
    await eachInTurns(context, ids, (id) => {
      // Looked for again: it may have been made meanwhile.
      if (directories.has(id) || existsSync(git.pathOf(id)) || !isRepoKnown(db, id)) return
      if (missing++ === 0) first = git.pathOf(id)
    })
    await breathe()
    if (tasks.isStopping) return
  }
  if (missing > 0) log.error('repository directories are missing; run `pocketforge doctor` to list them', undefined, { repos: missing, first })
}

function clearAway(context: Pick<Context, 'clock' | 'db' | 'git' | 'log' | 'pushes'>, id: number): void {
  // A directory is made in the transaction that inserts its row, which is not left in between: none of them is on its way.
  if (!isRepoKnown(context.db, Math.abs(id))) setAside(context, id)
  else if (isWikiId(id)) clearEmptyWiki(context, id)
}

/** A directory that the disk refuses, or does not give out, stays as it is until the next sweep, and keeps none of the others from it. */
function unlessRefused({ disk, log }: Pick<Context, 'disk' | 'log'>, path: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof Busy) throw error
    disk.report(error)
    log.error('cannot move aside or restore a directory', error, { path })
  }
}

/** A directory that was made for the first page of a wiki, which did not come. */
function clearEmptyWiki(context: Pick<Context, 'clock' | 'db' | 'git' | 'log' | 'pushes'>, id: number): void {
  if (findStoreById(context.db, id)?.is_empty !== 1) return
  const leave = context.pushes.tryExclude(id)
  if (!leave) return
  try {
    clearWiki(context, id)
  } finally {
    leave()
  }
}

/** Objects in it are a crash's when it is known that not all are reached, and otherwise those of a newer store. */
function clearWiki(context: Pick<Context, 'clock' | 'db' | 'git' | 'log'>, id: number): void {
  if (getState(context.db, id).is_exact === 0) context.git.clear(id)
  else setAside(context, id)
}
