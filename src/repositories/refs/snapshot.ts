import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { RefSnapshot, SnapshotRef } from '#git/protocol/context.ts'
import { HEADS } from '#git/refs/names.ts'
import { type RefChunk, refsOf } from '#git/workers/ref-list.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Db } from '#kernel/db.ts'
import { QUIET } from './quiet-refs.ts'
import { type ChangedRef, RefChunks } from './ref-chunks.ts'
import { getState, listDeleted, refTextAfter } from './store.ts'

/** A repository's refs at one version. */
export interface SharedSnapshot extends Omit<RefSnapshot, 'refs'> {
  /** All refs, sorted, as workers take them. */
  chunks: readonly RefChunk[]
  /** So many refs. */
  count: number
  version: number
  /** Every stored object is reachable from these refs. */
  isExact: boolean
}

/** Refs kept of the repositories asked about last. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024
/** Rows read at once. */
const PAGE = 1024
/** More changes than this are read again instead, with pauses. */
const MAX_CHANGES = 1000
/** What so many refs are asked for can be answered at once, without a worker. */
const FEW = 1024

/** The refs of one repository, as they are read for the first time and kept up to date. */
interface Kept {
  refs: RefChunks
  version: number
  /** While they are being read: what has changed since that began. */
  missed: { version: number; changes: readonly ChangedRef[] }[] | undefined
  reading: Promise<void>
  /** Counted in `Cache.bytes`. */
  bytes: number
}

class Cache {
  /** By repository, the one asked about last at the end. */
  readonly repos = new Map<number, Kept>()
  bytes = 0
}

/** All refs of a repository as they are when it resolves. Rows are read once, a page at a time with pauses; after that changes are taken over as they are made. */
export async function refSnapshot(context: Pick<Context, 'db' | 'services'>, repo: Pick<RepoRow, 'id' | 'default_branch'>): Promise<SharedSnapshot> {
  const cache = context.services.get(Cache)
  for (;;) {
    const known = cache.repos.get(repo.id) ?? read(context.db, repo.id, cache)
    await known.reading
    const { version, is_exact: exact } = getState(context.db, repo.id)
    if (known.version === version && cache.repos.get(repo.id) === known) {
      keepLast(cache, repo.id, known)
      return { head: { target: HEADS + repo.default_branch }, quiet: QUIET, ...known.refs.now(), version, isExact: exact === 1 }
    }
    if (cache.repos.get(repo.id) === known) forget(cache, repo.id)
  }
}

const decoded = new WeakMap<RefChunk, SnapshotRef[]>()

/** The snapshot of a repository that has few refs, as objects; undefined for others, whose refs are for workers. */
export function fewRefs({ head, quiet, chunks, count }: SharedSnapshot): RefSnapshot | undefined {
  if (count > FEW) return undefined
  return { head, quiet, refs: chunks.flatMap((chunk) => decoded.getOrInsertComputed(chunk, refsOf)) }
}

/** What is kept of a repository follows a change that has been committed; without `changes` it is read again when it is asked for. */
export function followChanges(context: Pick<Context, 'services'>, repoId: number, version: number, changes: readonly ChangedRef[] | undefined): void {
  const cache = context.services.get(Cache)
  const known = cache.repos.get(repoId)
  if (!known) return
  if (changes === undefined || changes.length + known.refs.waiting > MAX_CHANGES) forget(cache, repoId)
  else if (known.missed) known.missed.push({ version, changes })
  else if (known.version === version - 1) {
    known.refs.change(changes)
    known.version = version
  } else forget(cache, repoId)
}

function keepLast(cache: Cache, repoId: number, known: Kept): void {
  forget(cache, repoId)
  known.bytes = known.refs.bytes
  cache.bytes += known.bytes
  cache.repos.set(repoId, known)
  for (const oldest of cache.repos.keys()) {
    if (cache.bytes <= MAX_KEPT_BYTES || oldest === repoId) return
    forget(cache, oldest)
  }
}

function forget(cache: Cache, repoId: number): void {
  cache.bytes -= cache.repos.get(repoId)?.bytes ?? 0
  cache.repos.delete(repoId)
}

function read(db: Db, repoId: number, cache: Cache): Kept {
  const { version } = getState(db, repoId)
  const fresh: Kept = { refs: new RefChunks(), version, missed: [], reading: Promise.resolve(), bytes: 0 }
  cache.repos.set(repoId, fresh)
  fresh.reading = readPages(db, repoId, fresh).catch((error) => {
    if (cache.repos.get(repoId) === fresh) forget(cache, repoId)
    throw error
  })
  return fresh
}

/** A page may hold what changed after the reading began; to make the change once more alters nothing. */
async function readPages(db: Db, repoId: number, fresh: Kept): Promise<void> {
  for (let last = ''; ; ) {
    const page = refTextAfter(db, repoId, last, PAGE)
    fresh.refs.append(page)
    if (page.count < PAGE) break
    last = page.last
    if (isDue()) await breathe()
  }
  for (const { version, changes } of fresh.missed ?? []) {
    fresh.refs.change(changes)
    fresh.version = version
  }
  fresh.missed = undefined
}

/** How long a deleted ref may still be fetched by those who listed it before. */
const DELETED_SECONDS = 120

/** Refs deleted a moment ago, as they were; of a busy server only the latest of all. */
export function recentlyDeleted(context: Pick<Context, 'db' | 'clock'>, repoId: number): SnapshotRef[] {
  return listDeleted(context.db, repoId, context.clock.seconds() - DELETED_SECONDS).map(({ name, old_oid: oid }) => ({ name, oid }))
}
