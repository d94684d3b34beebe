import { findStoreById, isWikiId } from '#access/index.ts'
import type { Context } from '#context.ts'
import { getState, listRefs, markInexact } from '#repositories/refs/index.ts'
import { ComingRepos, removeDirectories, setAside } from './remove-directories.ts'
import { giveUpComing, listComing, listRemoved, listRepoIds } from './store.ts'
import { sweepUnfilled } from './unfilled.ts'

const SWEEP_SECONDS = 3600

/** Sweeps now and then, for the first time at once; what a crash interrupted goes on. */
export function startSweeping(context: Context): void {
  context.jobs.every(SWEEP_SECONDS, 'remove_deleted_repositories', () => sweepRemoved(context))
  context.jobs.runTask('remove_deleted_repositories')
}

/**
 * Finishes deletions that a crash interrupted or a disk refused, gives up what they interrupted the making of, and clears away
 * directories that no row knows, or puts them back where one does again; of rows without a directory it tells. For who has the store for itself: what another process is making
 * would look left over.
 */
export async function sweepRemoved(context: Context): Promise<void> {
  giveUpDead(context)
  sweepUnfilled(context)
  await removeDirectories(context)
  putBack(context)
  const stores: Stores = { directories: context.git.listIds(), rows: new Set(listRepoIds(context.db)) }
  for (const id of listOrphans(context, stores)) {
    if (context.jobs.isStopping) return
    setAside(context, id)
  }
  clearEmptyWikis(context, stores)
  tellOfMissing(context, stores)
}

/** What there is of all repositories: of a hundred thousand it is asked once. */
interface Stores {
  /** Their numbers; those of wikis are below zero. */
  directories: readonly number[]
  rows: ReadonlySet<number>
}

function giveUpDead(context: Pick<Context, 'db' | 'services' | 'clock'>): void {
  const { ids } = context.services.get(ComingRepos)
  const dead = listComing(context.db).filter((id) => !ids.has(id))
  for (const id of dead) context.db.tx((tx) => giveUpComing(tx, id, context.clock.seconds()))
}

/** A directory is made in the transaction that inserts its row, which is not left in between: none of them is on its way. */
function listOrphans({ db }: Pick<Context, 'db'>, { directories, rows }: Stores): number[] {
  const known = rows.union(new Set([...listRemoved(db), ...listComing(db)]))
  return directories.filter((id) => !known.has(Math.abs(id)))
}

/** What an older database knew nothing of, and the newer one does that was put in its place again; in between its number may have been given out. */
function putBack(context: Pick<Context, 'clock' | 'db' | 'git' | 'log'>): void {
  for (const { id, path } of context.git.listAside()) {
    if (id === undefined || findStoreById(context.db, id) === undefined) continue
    const [ref] = listRefs(context.db, id, { limit: 1 })
    if (ref === undefined || !context.git.putBack(id, path, ref.oid, context.clock.seconds())) continue
    context.db.tx((tx) => markInexact(tx, id))
    context.log.warn('a directory that was set aside belongs to a repository again, and was put back', { path: context.git.pathOf(id) })
  }
}

/** A store that was copied in part is served all the same, and to whoever asks such a repository looks empty: the log is where it shows. */
function tellOfMissing({ git, log }: Pick<Context, 'git' | 'log'>, { directories, rows }: Stores): void {
  const missing = rows.difference(new Set(directories))
  const [first] = missing
  if (first !== undefined)
    log.error('directories of repositories are not there: doctor lists them', undefined, { repos: missing.size, first: git.pathOf(first) })
}

/** Directories that were made for the first page of a wiki, which did not come. */
function clearEmptyWikis(context: Pick<Context, 'clock' | 'db' | 'git' | 'log' | 'pushes'>, { directories }: Stores): void {
  for (const id of directories.filter(isWikiId)) {
    if (findStoreById(context.db, id)?.is_empty !== 1) continue
    const leave = context.pushes.tryExclude(id)
    if (!leave) continue
    try {
      clearWiki(context, id)
    } finally {
      leave()
    }
  }
}

/** Objects in it are a crash's when it is known that not all are reached, and otherwise those of a newer store. */
function clearWiki(context: Pick<Context, 'clock' | 'db' | 'git' | 'log'>, id: number): void {
  if (getState(context.db, id).is_exact === 0) context.git.clear(id)
  else setAside(context, id)
}
