import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { RefSnapshot } from '#git/protocol/context.ts'
import { HEADS } from '#git/refs/names.ts'
import { encodeRefs } from '#git/workers/ref-list.ts'
import { getState, listRefs } from './store.ts'

/** A repository's refs at one version, ready for a worker: the rows are read and encoded once, then shared. */
export interface SharedSnapshot {
  /** Names this state of this repository's refs. */
  key: string
  snapshot: RefSnapshot
  /** `snapshot.refs` for workers. */
  encoded: SharedArrayBuffer
  /** Every stored object is reachable from these refs. */
  isExact: boolean
}

const MAX_KEPT = 64

const kept = new WeakMap<Context, Map<number, SharedSnapshot>>()

/** All refs of a repository. Kept until one changes, for the repositories asked about last. */
export function refSnapshot(context: Context, repo: RepoRow): SharedSnapshot {
  const cache = kept.get(context) ?? new Map<number, SharedSnapshot>()
  kept.set(context, cache)
  const state = getState(context.db, repo.id)
  const key = `${repo.id}:${state.version}:${state.is_exact}:${repo.default_branch}`
  const known = cache.get(repo.id)
  cache.delete(repo.id)
  const shared = known?.key === key ? known : readSnapshot(context, repo, key, state.is_exact === 1)
  cache.set(repo.id, shared)
  if (cache.size > MAX_KEPT) cache.delete(cache.keys().next().value as number)
  return shared
}

function readSnapshot(context: Context, repo: RepoRow, key: string, isExact: boolean): SharedSnapshot {
  const refs = listRefs(context.db, repo.id).map((row) =>
    row.peeled === null ? { name: row.name, oid: row.oid } : { name: row.name, oid: row.oid, peeled: row.peeled },
  )
  return { key, isExact, snapshot: { head: { target: HEADS + repo.default_branch }, refs }, encoded: encodeRefs(refs) }
}
