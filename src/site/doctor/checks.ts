import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findStoreById } from '#access/index.ts'
import { BlobStore, listUsedBlobs } from '#blobs/index.ts'
import type { Context } from '#context.ts'
import { parsePackedRefs } from '#git/foreign/read-refs.ts'
import { findCutShort, forgetCutShort } from '#kernel/database/store-state.ts'
import type { Database } from '#kernel/db.ts'
import { messageOf } from '#kernel/errors.ts'
import { formatHead, formatPackedRefs, getState, listRefs, listUnfinished, writeDerived } from '#repositories/refs/index.ts'
import { removeDirectories, setAside, sweepRemoved } from '#repositories/repos/index.ts'
import { countUnindexed, rebuildIndex } from '#work/issues/index.ts'
import { listDamage, listDangling, listRemoved, listRepos, listSealed, type NamedRepo, type RemovedRepo, type SealedRow } from './store.ts'

/** Something wrong. */
export interface Problem {
  /** What it is about, `ada/engine` say. */
  subject: string
  text: string
  /** Nothing is wrong: a server that was killed or stopped left it, and the next start sees to it. */
  waits?: boolean
  /** Sets it right, where that loses nothing. */
  repair?: () => void | Promise<void>
}

/** The store, and whether a server is working on it meanwhile: what looks unfinished then may be under way. */
export interface Patient extends Context {
  isServed: boolean
}

/** One question about the store. */
export interface Check {
  name: string
  /** @returns how many things were looked at, and what is wrong with them */
  run(patient: Patient): Promise<{ examined: number; problems: Problem[] }>
}

/** What a server is working on is younger than this. */
const UNDER_WAY_MS = 3600 * 1000

export const checks: readonly Check[] = [
  {
    name: 'database',
    run: async ({ db }) => ({
      examined: 1,
      problems: [...[...listDamage(db), ...listDangling(db)].map((text) => ({ subject: 'pocketforge.db', text })), ...cutShort(db)],
    }),
  },
  { name: 'repository directories', run: (patient) => eachRepo(patient, incompleteDirectory) },
  { name: 'packs', run: (patient) => eachRepo(patient, damagedPacks) },
  { name: 'refs and reachable objects', run: (patient) => eachRepo(patient, brokenRefs) },
  { name: 'packed-refs and HEAD', run: (patient) => eachRepo(patient, staleDerived) },
  { name: 'leftover quarantines', run: (patient) => eachRepo(patient, leftoverQuarantines) },
  { name: 'deleted repositories', run: unfinishedDeletions },
  { name: 'orphan directories', run: orphanDirectories },
  { name: 'directories set aside', run: async ({ git }) => directoriesAside(await git.listAside()) },
  { name: 'search index', run: staleSearchIndex },
  { name: 'attached files', run: lostBlobs },
  { name: 'encrypted secrets', run: async (patient) => lostSecrets(patient) },
]

type RepoCheck = (patient: Patient, repo: NamedRepo) => Problem[] | Promise<Problem[]>

async function eachRepo(patient: Patient, check: RepoCheck) {
  const repos = listRepos(patient.db)
  const problems: Problem[] = []
  for (const repo of repos) problems.push(...(await unlessDeleted(patient, repo, check)))
  return { examined: repos.length, problems }
}

/** A server may delete one while it is looked at, and its directory goes with it. */
async function unlessDeleted(patient: Patient, repo: NamedRepo, check: RepoCheck): Promise<Problem[]> {
  const isThere = () => findStoreById(patient.db, repo.id) !== undefined
  try {
    const problems = await check(patient, repo)
    return isThere() ? problems : []
  } catch (error) {
    if (isThere()) throw error
    return []
  }
}

function incompleteDirectory({ git }: Pick<Context, 'git'>, repo: NamedRepo): Problem[] {
  const path = git.pathOf(repo.id)
  const missing = git.findMissingParts(repo.id)
  if (missing?.length === 0) return []
  if (missing === undefined) return [{ subject: repo.full_name, text: `the directory ${path} does not exist` }]
  const text = `the directory ${path} has no ${missing.join(', ')}`
  return [{ subject: repo.full_name, text, repair: () => git.complete(repo.id, repo.default_branch, git.storeOf(repo.id).format) }]
}

async function damagedPacks(context: Pick<Context, 'git'>, repo: NamedRepo): Promise<Problem[]> {
  if (!hasDirectory(context, repo)) return []
  const { faults } = await context.git.run('checkPacks', repo.id, {})
  return faults.map((text) => ({ subject: repo.full_name, text }))
}

/** Names the refs whose objects are missing; then walks from the others. */
async function brokenRefs(context: Pick<Context, 'db' | 'git'>, repo: NamedRepo): Promise<Problem[]> {
  if (!hasDirectory(context, repo)) return []
  const store = context.git.storeOf(repo.id)
  const refs = listRefs(context.db, repo.id)
  const broken = refs.filter((ref) => !store.has(ref.oid))
  const problems: Problem[] = broken.map((ref) => ({ subject: repo.full_name, text: `${ref.name} points to ${ref.oid}, which does not exist` }))
  const tips = [...new Set(refs.filter((ref) => !broken.includes(ref)).map((ref) => ref.oid))]
  const { fault } = await context.git.run('checkReach', repo.id, { tips })
  if (fault !== undefined) problems.push({ subject: repo.full_name, text: fault })
  return problems
}

function staleDerived(patient: Patient, repo: NamedRepo): Problem[] {
  // Another check reports a directory with missing parts.
  if (patient.git.findMissingParts(repo.id)?.length !== 0) return []
  const { version, written_version: written } = getState(patient.db, repo.id)
  if (isDerivedCurrent(patient, repo)) return []
  const isBehind = written !== version || getState(patient.db, repo.id).version !== version
  if (isBehind && patient.isServed) return []
  const text = isBehind
    ? 'packed-refs and HEAD on disk (only used by stock git) are older than the database; the next start of the server updates them'
    : 'packed-refs or HEAD on disk differs from the database'
  return [{ subject: repo.full_name, text, waits: isBehind, repair: () => writeDerived(patient, repo.id, true) }]
}

function isDerivedCurrent(context: Pick<Context, 'db' | 'git'>, repo: NamedRepo): boolean {
  const directory = context.git.pathOf(repo.id)
  if (readText(join(directory, 'HEAD')) !== formatHead(repo.default_branch)) return false
  const refs = listRefs(context.db, repo.id)
  const packed = readText(join(directory, 'packed-refs')) ?? ''
  const loose = looseRefs(directory)
  if (loose.size === 0) return packed === '' ? refs.length === 0 : packed === formatPackedRefs(refs)
  const onDisk = new Map([...parsePackedRefs(packed), ...loose])
  return onDisk.size === refs.length && refs.every(({ name, oid }) => onDisk.get(name) === oid)
}

/** Refs that lie in files of their own, which count before the packed ones. */
function looseRefs(directory: string): Map<string, string> {
  const entries = readdirSync(join(directory, 'refs'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  // A server may pack them meanwhile.
  return new Map(paths.map((path) => [relative(directory, path).replaceAll('\\', '/'), readText(path)?.trim() ?? '']))
}

/** All of them, unless a server runs, whose own the young ones may be. */
function leftoverQuarantines(patient: Patient, repo: NamedRepo): Problem[] {
  const left = listUnfinished(patient.git.pathOf(repo.id)).filter((path) => !patient.isServed || isOld(path))
  return left.map((path) => ({
    subject: repo.full_name,
    text: `${path} is left over from an interrupted operation; the next start of the server removes it`,
    waits: !patient.isServed,
    repair: () => rmSync(path, { recursive: true, force: true }),
  }))
}

async function unfinishedDeletions(patient: Patient) {
  const left = listRemoved(patient.db).filter((removed) => !patient.isServed || isOverdue(patient, removed))
  const problems = left.map(({ id }) => ({
    subject: `repository ${id}`,
    text: 'is deleted, but its directory still exists; the next start of the server removes it',
    waits: !patient.isServed,
    repair: () => (patient.isServed ? removeDirectories(patient) : sweepRemoved(patient)),
  }))
  return { examined: left.length, problems }
}

/** Of one that was never made it is not known since when. */
function isOverdue({ git }: Pick<Context, 'git'>, { id, removed_at }: RemovedRepo): boolean {
  return removed_at > 0 ? isPast(removed_at * 1000) : isOld(git.pathOf(id))
}

/** Directories that no row knows; those of deletions under way are counted there, those of creations are young. */
async function orphanDirectories(patient: Patient) {
  const ids = await patient.git.listIds()
  const known = new Set([...listRepos(patient.db).map((repo) => repo.id), ...listRemoved(patient.db).map(({ id }) => id)])
  const problems = ids
    .filter((id) => !known.has(Math.abs(id)) && (!patient.isServed || isOld(patient.git.pathOf(id))))
    .map((id) => ({ subject: `repository ${id}`, text: `${patient.git.pathOf(id)} does not belong to any repository`, repair: () => setAside(patient, id) }))
  return { examined: ids.length, problems }
}

/** The store was copied from a running server without the end of what was written. */
function cutShort(db: Database): Problem[] {
  const since = findCutShort(db)
  if (since === undefined) return []
  const text = `was opened on ${new Date(since * 1000).toISOString()} as a copy without its -wal file; the latest changes before the copy may be missing`
  return [{ subject: 'pocketforge.db', text, repair: () => db.tx((tx) => forgetCutShort(tx)) }]
}

function directoriesAside(all: readonly { path: string }[]) {
  return { examined: all.length, problems: all.map(describeAside) }
}

function describeAside({ path }: { path: string }): Problem {
  const text =
    'contains objects and did not belong to any repository; the next start restores it if a repository needs it, otherwise adopt it as repositories/<owner>/<name>.git, or delete it'
  return { subject: path, text }
}

async function staleSearchIndex({ db }: Patient) {
  const wrong = countUnindexed(db)
  const repair = () => db.tx(rebuildIndex)
  return { examined: 1, problems: wrong === 0 ? [] : [{ subject: 'pocketforge.db', text: `${wrong} texts are outdated in the search index`, repair }] }
}

const blobFaults = { gone: 'is used by an attachment, but does not exist', damaged: 'is used by an attachment, but its content is damaged' }

async function lostBlobs({ db, services }: Patient) {
  const digests = listUsedBlobs(db)
  const store = services.get(BlobStore)
  const problems: Problem[] = []
  for (const digest of digests) {
    const fault = await store.findFault(digest)
    if (fault) problems.push({ subject: `file ${digest}`, text: blobFaults[fault] })
  }
  return { examined: digests.length, problems }
}

/** What is gone by now was under way. */
function isOld(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && isPast(stat.mtimeMs)
}

function isPast(millis: number): boolean {
  return Date.now() - millis > UNDER_WAY_MS
}

function hasDirectory(context: Pick<Context, 'git'>, repo: NamedRepo): boolean {
  return existsSync(context.git.pathOf(repo.id))
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What nobody can decrypt any more: nothing of it can be derived again. */
function lostSecrets({ db, secrets }: Pick<Context, 'db' | 'secrets'>) {
  const sealed = listSealed(db)
  const text = whyLost(secrets, sealed)
  const advice = 'restore the key file, or enter the secrets again'
  return { examined: sealed.length, problems: text === undefined ? [] : [{ subject: secrets.path, text: `${text}; ${advice}` }] }
}

/** Nothing is asked of a key that is not there: that would make a new one. */
function whyLost(secrets: Context['secrets'], sealed: readonly SealedRow[]): string | undefined {
  if (sealed.length === 0) return undefined
  if (!existsSync(secrets.path)) return `does not exist, and without it the server cannot decrypt ${namesOf(sealed)}`
  try {
    const lost = sealed.filter((row) => !secrets.holdsKeyOf(row.sealed))
    return lost.length === 0 ? undefined : `does not contain the key for ${namesOf(lost)}`
  } catch (error) {
    return `cannot be used, so the server cannot decrypt ${namesOf(sealed)}: ${messageOf(error)}`
  }
}

function namesOf(rows: readonly SealedRow[]): string {
  const kinds = Map.groupBy(rows, ({ many }) => many)
  return [...kinds].map(([many, alike]) => (alike.length === 1 ? `1 ${alike[0]?.one}` : `${alike.length} ${many}`)).join(', ')
}
