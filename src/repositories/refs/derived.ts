import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findStoreById, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { PACKED_HEADER } from '#git/refs/write-refs.ts'
import { temporaryName } from './leftovers.ts'
import type { ChangedRef } from './ref-chunks.ts'
import { refSnapshot } from './snapshot.ts'
import { findRef, getState, listUnwritten, markWritten, type RefRow } from './store.ts'

/** A burst of pushes to one repository writes its files once. */
const DELAY_MS = 1000
/** A `packed-refs` of fewer bytes is quicker written whole. */
const SMALL_BYTES = 64 * 1024
/** So many refs may lie loose before all are packed. */
const MAX_LOOSE = 200

/** What is known of one repository's files. */
interface Derivation {
  /** Names to write; undefined for all. */
  waiting: Set<string> | undefined
  isScheduled: boolean
  /** Refs that lie loose; infinite until this process has packed them. */
  loose: number
  /** One writes at a time. */
  writing: Promise<void>
}

class Derivations {
  readonly byRepo = new Map<number, Derivation>()
}

/** Soon brings the refs and `HEAD` on disk up to the rows, so that stock git can read the directory. */
export function scheduleDerived(context: Context, repoId: number, changes?: readonly ChangedRef[]): void {
  const one = derivationOf(context, repoId)
  if (changes === undefined || changes.length > MAX_LOOSE) one.waiting = undefined
  else for (const { name } of changes) one.waiting?.add(name)
  if (one.isScheduled) return
  one.isScheduled = true
  context.tasks.soon(DELAY_MS, 'write refs', () => writeDerived(context, repoId))
}

/** Writes what a crash left behind the rows. Call at start. */
export function writeAllDerived(context: Context): void {
  for (const repoId of listUnwritten(context.db)) scheduleDerived(context, repoId)
}

/**
 * Writes refs and `HEAD` from the rows, in a worker: what has changed as loose refs where there are many refs, else all as `packed-refs`.
 * Each file is written whole or not at all. Resolves when what was committed before the call is on disk.
 */
export function writeDerived(context: Pick<Context, 'db' | 'git' | 'services'>, repoId: number, whole = false): Promise<void> {
  const one = derivationOf(context, repoId)
  if (whole) one.waiting = undefined
  one.writing = one.writing.catch(() => {}).then(() => write(context, repoId, one))
  return one.writing
}

async function write(context: Pick<Context, 'db' | 'git' | 'services'>, repoId: number, one: Derivation): Promise<void> {
  const repo = findStoreById(context.db, repoId)
  one.isScheduled = false
  if (!repo) return forget(context, repoId)
  const { waiting } = one
  const state = getState(context.db, repoId)
  // Somebody was quicker.
  if (waiting?.size === 0 && state.written_version === state.version) return
  one.waiting = new Set()
  try {
    const version = (await writeLoose(context, repo, one, waiting)) ?? (await pack(context, repo, one))
    if (getState(context.db, repoId).written_version !== version) context.db.provisional((tx) => markWritten(tx, repoId, version))
  } catch (error) {
    one.waiting = undefined
    if (findStoreById(context.db, repoId)) throw error
  }
}

/** @returns the version that was written; undefined when everything has to be packed */
async function writeLoose(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, one: Derivation, names: Set<string> | undefined): Promise<number | undefined> {
  if (names === undefined || one.loose + names.size > MAX_LOOSE || !mayLieLoose(context, repo, names)) return undefined
  const refs = [...names].map((name) => findRef(context.db, repo.id, name))
  // What is gone may stand in packed-refs.
  if (!refs.every((ref) => ref !== undefined)) return undefined
  const { version } = getState(context.db, repo.id)
  const written = await context.git.run('writeRefs', repo.id, { ...filesOf(repo), refs: refs.map(({ name, oid }) => ({ name, oid })) })
  one.loose += names.size
  return written ? version : undefined
}

async function pack(context: Pick<Context, 'db' | 'git' | 'services'>, repo: RepoRow, one: Derivation): Promise<number> {
  const { version, chunks } = await refSnapshot(context, repo)
  await context.git.run('packRefs', repo.id, { ...filesOf(repo), chunks })
  one.loose = 0
  return version
}

/** Names that are different may be one file where letters' case or form does not count, or none at all on Windows. */
function mayLieLoose(context: Pick<Context, 'git'>, repo: RepoRow, names: ReadonlySet<string>): boolean {
  if (process.platform === 'win32' || process.platform === 'darwin') return false
  const directory = context.git.pathOf(repo.id)
  if ((statSync(join(directory, 'packed-refs'), { throwIfNoEntry: false })?.size ?? 0) <= SMALL_BYTES) return false
  for (const name of names) if (name !== name.normalize()) return false
  return !findsInAnyCase(directory)
}

/** Mounted disks and directories of Linux can be so, too; there is always a HEAD, and never a file of this name. */
function findsInAnyCase(directory: string): boolean {
  return existsSync(join(directory, 'head'))
}

function filesOf(repo: RepoRow): { head: string; temporary: string } {
  return { head: formatHead(repo.default_branch), temporary: temporaryName('refs') }
}

function derivationOf(context: Pick<Context, 'services'>, repoId: number): Derivation {
  const { byRepo: all } = context.services.get(Derivations)
  const known = all.get(repoId)
  if (known) return known
  const fresh: Derivation = { waiting: undefined, isScheduled: false, loose: Number.POSITIVE_INFINITY, writing: Promise.resolve() }
  all.set(repoId, fresh)
  return fresh
}

function forget(context: Pick<Context, 'services'>, repoId: number): void {
  context.services.get(Derivations).byRepo.delete(repoId)
}

export function formatHead(branch: string): string {
  return `ref: ${HEADS}${branch}\n`
}

/** The whole file. */
export function formatPackedRefs(refs: readonly RefRow[]): string {
  const lines = refs.map((ref) => `${ref.oid} ${ref.name}\n${ref.peeled === null ? '' : `^${ref.peeled}\n`}`)
  return PACKED_HEADER + lines.join('')
}
