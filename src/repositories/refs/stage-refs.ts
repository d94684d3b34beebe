import { findStoreById, isWikiId, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { conflictsWith, faultOfPushedName, HEADS, type RefName } from '#git/refs/names.ts'
import { type Acting, writeActing } from '#kernel/acting.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import type { RefJudge } from './ref-guard.ts'
import { deletesNothing, REFUSED_WITH_OTHERS, type RefResult, type RefUpdate } from './ref-update.ts'
import { StagedNames } from './staged-names.ts'
import {
  deleteBatch,
  findRef,
  getState,
  insertBatch,
  insertReflog,
  listBatches,
  listRefsUnder,
  listUnsettled,
  putBatchedChange,
  putBatchedRef,
  removeBatchedRefs,
  settleRows,
} from './store.ts'

/** An update that was written ahead, and what the ref was before. */
export interface StagedUpdate extends RefUpdate {
  before: Oid
}

/** Updates that were written ahead, a few at a time, and that one row makes visible. */
export interface StagedRefs {
  batch: number
  repoId: number
  /** How many were asked for. */
  asked: number
  updates: readonly StagedUpdate[]
  /** Why others will not be done, by name. */
  refused: ReadonlyMap<string, StageRefusal>
  /** What is answered when they are done, and when they are not; both in the order asked for. */
  results: { done: RefResult[]; refused: RefResult[] }
  /** How many more branches there are with them. */
  branches: number
  /** Nothing becomes unreachable by them. */
  losesNothing: boolean
  /** What refs point to with them, each once. */
  targets: ReadonlySet<Oid>
  /** What they were judged on, all of them; undefined when that cannot be told. */
  basis: string | undefined
  /** All names asked for; it hears of what else changes meanwhile. */
  names: StagedNames
}

interface StageRefusal {
  reason: string
  isForbidden?: true
  rule?: string
}

export interface StageRules {
  /** The update with all that is known of its target. */
  complete(update: RefUpdate): RefUpdate
  /** Why it is refused, whatever the refs are by now; prepared for each slice. */
  policies(tx: Tx, repo: RepoRow): RefJudge
}

/** So many updates are done in one go. */
const FEW = 500
/** Updates looked at in one go. */
const PAUSE = 1000
/** Rows written, or looked through, in one transaction: a few milliseconds. */
const SLICE = 100

/**
 * Judges many updates and writes them ahead while others go on; nobody sees them until `updateRefs` is given them, or they are gone again.
 * Of one repository only one push at a time does so: the caller holds the `StagingMutex`.
 * @returns undefined for what is better done in one go: few updates, those of a wiki
 * @throws NotFound when the repository is gone
 */
export async function stageRefs(context: Context, repoId: number, asked: readonly RefUpdate[], rules: StageRules): Promise<StagedRefs | undefined> {
  if (!isMany(repoId, asked)) return undefined
  await settle(context, repoId)
  const names = await StagedNames.of(asked)
  const batch = context.db.provisional((tx) => {
    names.version = getState(tx, repoId).version
    return insertBatch(tx, repoId)
  })
  const stage: Stage = { context, repoId, batch, names, rules, updates: [], absent: new Set(), refused: new Map(), bases: new Set() }
  names.listen(context, repoId)
  try {
    // Deletions make room for what is created.
    await stageAll(stage, asked, (update) => update.new === SHA1.zero)
    await stageAll(stage, asked, (update) => update.new !== SHA1.zero)
  } catch (error) {
    names.end(context, repoId)
    if (findStoreById(context.db, repoId)) await unstageRefs(context, stage)
    throw error
  }
  const [basis] = stage.bases.size === 1 ? stage.bases : []
  return { ...stage, basis, asked: asked.length, results: await resultsOf(stage, asked), ...(await sumUp(stage.updates)) }
}

/** Whether so many updates are written ahead. */
export function isMany(repoId: number, updates: readonly RefUpdate[]): boolean {
  return updates.length >= FEW && !isWikiId(repoId)
}

interface Stage {
  context: Context
  repoId: number
  batch: number
  names: StagedNames
  rules: StageRules
  updates: StagedUpdate[]
  /** Refs that the push deletes and that do not exist. */
  absent: Set<string>
  refused: Map<string, StageRefusal>
  /** What the slices were judged on. */
  bases: Set<string | undefined>
}

async function stageAll(stage: Stage, asked: readonly RefUpdate[], isTheirTurn: (update: RefUpdate) => boolean): Promise<void> {
  for (let at = 0; at < asked.length; at += SLICE) {
    const slice = asked.slice(at, at + SLICE).filter(isTheirTurn)
    const under = await conflictsUnder(stage, slice)
    if (slice.length > 0) stage.context.db.provisional((tx) => putSlice(stage, tx, slice, under))
    await stage.context.db.rest()
  }
}

/** By name of a ref that is to be created, one that lies under it and stays: below a directory of which much goes, there may be a lot to look through. */
async function conflictsUnder({ context: { db }, repoId, names }: Stage, slice: readonly RefUpdate[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { name, new: oid } of slice) {
    if (oid === SHA1.zero) continue
    const prefix = `${name}/`
    if (names.isDirectory(name)) found.set(name, `${prefix}…`)
    for (let [after, limit] = [prefix, 1]; !found.has(name); limit = SLICE) {
      const rows = listRefsUnder(db, repoId, prefix, after, limit)
      const staying = rows.find((row) => !names.isDeleted(row.name))
      if (staying) found.set(name, staying.name)
      if (rows.length < limit) break
      after = rows.at(-1)?.name ?? ''
      if (isDue()) await breathe()
    }
  }
  return found
}

function putSlice(stage: Stage, tx: Tx, slice: readonly RefUpdate[], under: ReadonlyMap<string, string>): void {
  const repo = findStoreById(tx, stage.repoId)
  // What is written for a repository that is gone would stay.
  if (!repo) throw new NotFound()
  const refusalOf = stage.rules.policies(tx, repo)
  stage.bases.add(refusalOf.basis?.())
  for (const asked of slice) {
    const update = stage.rules.complete(asked)
    const forbidden = refusalOf(update)
    const before = findRef(tx, stage.repoId, update.name)?.oid ?? SHA1.zero
    const reason = forbidden === undefined ? reasonAgainst(stage, tx, update, before, under) : undefined
    if (forbidden !== undefined) stage.refused.set(update.name, { ...(typeof forbidden === 'string' ? { reason: forbidden } : forbidden), isForbidden: true })
    else if (reason !== undefined) stage.refused.set(update.name, { reason })
    else if (deletesNothing(update, before)) stage.absent.add(update.name)
    else put(stage, tx, { ...update, before })
  }
}

/** As `updateRefs` judges. Of two new names in each other's way, the longer one finds the shorter. */
function reasonAgainst({ repoId, names }: Stage, db: Db, { name, old, new: oid }: RefUpdate, now: Oid, under: ReadonlyMap<string, string>): string | undefined {
  if (names.isRepeated(name)) return 'multiple updates for one ref are not allowed'
  const isDeletion = oid === SHA1.zero
  const fault = faultOfPushedName(name)
  if (fault !== undefined) return isDeletion && now !== SHA1.zero ? undefined : fault
  if (old !== undefined && old !== now) return now === SHA1.zero ? 'reference no longer exists' : `reference was already updated to ${now.slice(0, 10)}`
  if (isDeletion) return undefined
  if (now !== SHA1.zero) return undefined
  const isTaken = (parent: string) => names.isCreated(parent) || (!names.isDeleted(parent) && findRef(db, repoId, parent) !== undefined)
  const conflict = conflictsWith(name as RefName, { has: isTaken, findUnder: () => under.get(name) })
  return conflict === undefined ? undefined : `directory/file conflict with ${conflict}`
}

function put({ repoId, batch, updates }: Stage, tx: Tx, update: StagedUpdate): void {
  const { name, new: oid, peeled, time, before } = update
  const row = { repo_id: repoId, name, oid, peeled: peeled ?? null, time: time ?? null }
  if (before !== SHA1.zero) putBatchedChange(tx, row, batch)
  else if (!putBatchedRef(tx, row, batch)) throw new Error(`Cannot write ${name} ahead: another batch has it`)
  updates.push(update)
}

async function resultsOf({ refused, absent }: Stage, asked: readonly RefUpdate[]): Promise<StagedRefs['results']> {
  const results: StagedRefs['results'] = { done: [], refused: [] }
  for (const [i, { name }] of asked.entries()) {
    const refusal = refused.get(name)
    const no: RefResult = { name, ok: false, ...(refusal ?? { reason: REFUSED_WITH_OTHERS }) }
    results.done.push(refusal ? no : { name, ok: true, ...(absent.has(name) && { wasAbsent: true }) })
    results.refused.push(no)
    if (i % PAUSE === 0) await breathe()
  }
  return results
}

async function sumUp(updates: readonly StagedUpdate[]): Promise<Pick<StagedRefs, 'branches' | 'losesNothing' | 'targets'>> {
  let [branches, losesNothing] = [0, true]
  const targets = new Set<Oid>()
  for (const [i, update] of updates.entries()) {
    if (update.name.startsWith(HEADS)) branches += Number(update.before === SHA1.zero) - Number(update.new === SHA1.zero)
    losesNothing &&= isKept(update)
    targets.add(update.new)
    if (i % PAUSE === 0) await breathe()
  }
  return { branches, losesNothing, targets }
}

function isKept({ before, new: oid, fastForward }: StagedUpdate): boolean {
  return oid !== SHA1.zero && (before === SHA1.zero || fastForward === true || before === oid)
}

export function isForced(update: StagedUpdate): boolean {
  return update.new !== SHA1.zero && !isKept(update)
}

/** Takes away what was written ahead and not made visible, a few rows at a time. */
export async function unstageRefs(context: Pick<Context, 'db'>, { batch, repoId }: Pick<StagedRefs, 'batch' | 'repoId'>): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const from: string = last
    last = context.db.provisional((tx) => removeBatchedRefs(tx, { id: batch, repo_id: repoId }, from, SLICE))
    await context.db.rest()
  }
  context.db.provisional((tx) => deleteBatch(tx, batch))
}

/** Makes the rows plain that have become visible. */
export async function settle(context: Pick<Context, 'db'>, repoId: number): Promise<void> {
  while (context.db.provisional((tx) => settleRows(tx, repoId, SLICE))) await context.db.rest()
}

/** Takes away what a crash left, and finishes what it interrupted. Call at start. */
export async function sweepBatches(context: Pick<Context, 'db' | 'services'>): Promise<void> {
  const { db } = context
  for (const { id, repo_id: repoId } of listBatches(db)) if (!isUnderWay(context, repoId)) await unstageRefs(context, { batch: id, repoId })
  for (const repoId of listUnsettled(db)) await settle(context, repoId)
}

function isUnderWay(context: Pick<Context, 'services'>, repoId: number): boolean {
  return StagedNames.isListening(context, repoId)
}

/** What follows refs that were written ahead once they are there: plain rows, and the reflog. */
export async function finishStaged(
  context: Pick<Context, 'db'>,
  { repoId, updates }: StagedRefs,
  by: { actorId: number; message: string; acting?: readonly Acting[] | undefined; at: number },
): Promise<void> {
  await settle(context, repoId)
  const { actorId: actor_id, message, at: created_at } = by
  const acting = writeActing(by.acting)
  for (let at = 0; at < updates.length; at += SLICE) {
    const write = (tx: Tx) => {
      if (getState(tx, repoId).version === 0) return
      for (const { name, before, new: oid } of updates.slice(at, at + SLICE))
        insertReflog(tx, { repo_id: repoId, name, old_oid: before, new_oid: oid, actor_id, message, created_at, acting })
    }
    // With the last of them all are durable.
    if (at + SLICE < updates.length) context.db.provisional(write)
    else context.db.tx(write)
    await context.db.rest()
  }
}
