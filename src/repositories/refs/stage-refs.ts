import { findStoreById, isWikiId } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { conflictsWith, HEADS, isRefName } from '#git/refs/names.ts'
import { breathe } from '#kernel/breathe.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import type { RefUpdate } from './ref-update.ts'
import { deleteBatch, findRef, getState, insertBatch, insertReflog, listBatches, putBatchedRef, refLookup, removeBatchedRefs } from './store.ts'

/** New refs that were written ahead, a few at a time, and that one row makes visible. */
export interface StagedRefs {
  batch: number
  repoId: number
  updates: readonly RefUpdate[]
  /** How many of them are branches. */
  branches: number
  /** They were judged by the refs as they are at this version. */
  version: number
}

/** What an update says with all that is known of its target; undefined when it will be refused. */
export type CompleteUpdate = (update: RefUpdate) => RefUpdate | undefined

/** So many updates are done in one go. */
const FEW = 2000
/** Rows written, or looked through, in one transaction. */
const SLICE = 250

/**
 * Writes many new refs ahead while others go on; nobody sees them until `updateRefs` is given them, or they are gone again.
 * @returns undefined for what is better done in one go: few updates, those of a wiki, any that is no creation, or any that would be refused
 */
export async function stageRefs(context: Context, repoId: number, asked: readonly RefUpdate[], complete: CompleteUpdate): Promise<StagedRefs | undefined> {
  if (asked.length < FEW || isWikiId(repoId)) return undefined
  const names = await namesOf(asked)
  if (names.size < asked.length) return undefined
  const { version } = getState(context.db, repoId)
  const batch = context.db.tx((tx) => insertBatch(tx, repoId))
  const updates: RefUpdate[] = []
  while (updates.length < asked.length) {
    const slice = asked.slice(updates.length, updates.length + SLICE).flatMap((update) => complete(update) ?? [])
    const isWhole = slice.length === Math.min(SLICE, asked.length - updates.length)
    if (!isWhole || !putSlice(context, { batch, repoId }, names, slice)) {
      await unstageRefs(context, { batch, repoId })
      return undefined
    }
    updates.push(...slice)
    await breathe()
  }
  return { batch, repoId, updates, branches: updates.filter(({ name }) => name.startsWith(HEADS)).length, version }
}

async function namesOf(updates: readonly RefUpdate[]): Promise<Set<string>> {
  const names = new Set<string>()
  for (const { name } of updates) if (names.add(name).size % FEW === 0) await breathe()
  return names
}

/** @returns false when one of them cannot be created */
function putSlice(context: Context, { batch, repoId }: Pick<StagedRefs, 'batch' | 'repoId'>, names: ReadonlySet<string>, slice: readonly RefUpdate[]): boolean {
  return context.db.tx((tx) => {
    // What is written for a repository that is gone would stay.
    if (!findStoreById(tx, repoId)) throw new NotFound()
    return slice.every(
      (update) =>
        isCreatable(tx, repoId, update, names) &&
        putBatchedRef(tx, { repo_id: repoId, name: update.name, oid: update.new, peeled: update.peeled ?? null, time: update.time ?? null }, batch),
    )
  })
}

/** As `updateRefs` judges. Of two new names in each other's way, the longer one finds the shorter. */
function isCreatable(db: Db, repoId: number, { name, old, new: oid }: RefUpdate, names: ReadonlySet<string>): boolean {
  if (oid === SHA1.zero || (old !== undefined && old !== SHA1.zero) || !isRefName(name)) return false
  if (findRef(db, repoId, name) || conflictsWith(name, refLookup(db, repoId)) !== undefined) return false
  return conflictsWith(name, { has: (other) => names.has(other), findUnder: () => undefined }) === undefined
}

/** Takes away what was written ahead and not made visible, a few rows at a time. */
export async function unstageRefs(context: Context, { batch, repoId }: Pick<StagedRefs, 'batch' | 'repoId'>): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const from: string = last
    last = context.db.tx((tx) => removeBatchedRefs(tx, { id: batch, repo_id: repoId }, from, SLICE))
    await breathe()
  }
  context.db.tx((tx) => deleteBatch(tx, batch))
}

/** Takes away what a crash left. Call at start. */
export async function sweepBatches(context: Context): Promise<void> {
  for (const { id, repo_id: repoId } of listBatches(context.db)) await unstageRefs(context, { batch: id, repoId })
}

/** The reflog of refs that were written ahead follows once they are there. */
export async function noteStaged(context: Context, { repoId, updates }: StagedRefs, by: { actorId: number; message: string; at: number }): Promise<void> {
  for (let at = 0; at < updates.length; at += SLICE) {
    context.db.tx((tx) => {
      if (getState(tx, repoId).version === 0) return
      for (const { name, new: oid } of updates.slice(at, at + SLICE))
        insertReflog(tx, { repo_id: repoId, name, old_oid: SHA1.zero, new_oid: oid, actor_id: by.actorId, message: by.message, created_at: by.at })
    })
    await breathe()
  }
}
