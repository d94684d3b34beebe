import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../context.ts'
import { formatHead, formatPackedRefs, listRefs, writeDerived } from '../refs/index.ts'
import { sweepRemoved } from '../repos/index.ts'
import { listDamage, listDangling, listRemovedIds, listRepos, type NamedRepo } from './store.ts'

/** Something wrong. */
export interface Problem {
  /** What it is about, `ada/engine` say. */
  subject: string
  text: string
  /** Sets it right, where that loses nothing. */
  repair?: () => void
}

/** One question about the store. */
export interface Check {
  name: string
  /** @returns how many things were looked at, and what is wrong with them */
  run(context: Context): Promise<{ examined: number; problems: Problem[] }>
}

/** A push under way has a quarantine younger than this. */
const QUARANTINE_MS = 3600 * 1000

export const checks: readonly Check[] = [
  {
    name: 'database',
    run: async ({ db }) => ({ examined: 1, problems: [...listDamage(db), ...listDangling(db)].map((text) => ({ subject: 'pocketforge.db', text })) }),
  },
  { name: 'repository directories', run: (context) => eachRepo(context, missingDirectory) },
  { name: 'packs', run: (context) => eachRepo(context, damagedPacks) },
  { name: 'refs and what they reach', run: (context) => eachRepo(context, brokenRefs) },
  { name: 'packed-refs and HEAD', run: (context) => eachRepo(context, staleDerived) },
  { name: 'leftover quarantines', run: (context) => eachRepo(context, leftoverQuarantines) },
  { name: 'deleted repositories', run: unfinishedDeletions },
  { name: 'orphan directories', run: orphanDirectories },
]

async function eachRepo(context: Context, check: (context: Context, repo: NamedRepo) => Problem[] | Promise<Problem[]>) {
  const repos = listRepos(context.db)
  const problems: Problem[] = []
  for (const repo of repos) problems.push(...(await check(context, repo)))
  return { examined: repos.length, problems }
}

function missingDirectory(context: Context, repo: NamedRepo): Problem[] {
  return hasDirectory(context, repo) ? [] : [{ subject: repo.full_name, text: `its directory ${context.git.pathOf(repo.id)} is not there` }]
}

async function damagedPacks(context: Context, repo: NamedRepo): Promise<Problem[]> {
  if (!hasDirectory(context, repo)) return []
  const { faults } = await context.git.run('checkPacks', repo.id, {})
  return faults.map((text) => ({ subject: repo.full_name, text }))
}

/** Names the refs whose objects are missing; then walks from the others. */
async function brokenRefs(context: Context, repo: NamedRepo): Promise<Problem[]> {
  if (!hasDirectory(context, repo)) return []
  const store = context.git.storeOf(repo.id)
  const refs = listRefs(context.db, repo.id)
  const broken = refs.filter((ref) => !store.has(ref.oid))
  const problems: Problem[] = broken.map((ref) => ({ subject: repo.full_name, text: `${ref.name} points to ${ref.oid}, which is not stored` }))
  const tips = [...new Set(refs.filter((ref) => !broken.includes(ref)).map((ref) => ref.oid))]
  const { fault } = await context.git.run('checkReach', repo.id, { tips })
  if (fault !== undefined) problems.push({ subject: repo.full_name, text: fault })
  return problems
}

function staleDerived(context: Context, repo: NamedRepo): Problem[] {
  if (!hasDirectory(context, repo)) return []
  const refs = listRefs(context.db, repo.id)
  const directory = context.git.pathOf(repo.id)
  const isCurrent =
    readText(join(directory, 'HEAD')) === formatHead(repo.default_branch) &&
    (readText(join(directory, 'packed-refs')) === formatPackedRefs(refs) || (refs.length === 0 && !existsSync(join(directory, 'packed-refs'))))
  return isCurrent
    ? []
    : [{ subject: repo.full_name, text: 'packed-refs or HEAD on disk is not what the database has', repair: () => writeDerived(context, repo.id) }]
}

function leftoverQuarantines(context: Context, repo: NamedRepo): Problem[] {
  const objects = join(context.git.pathOf(repo.id), 'objects')
  if (!existsSync(objects)) return []
  const old = readdirSync(objects)
    .filter((name) => /^tmp_(incoming|upkeep)-/.test(name))
    .map((name) => join(objects, name))
    .filter((path) => Date.now() - statSync(path).mtimeMs > QUARANTINE_MS)
  return old.map((path) => ({
    subject: repo.full_name,
    text: `${path} is left from a push that did not end`,
    repair: () => rmSync(path, { recursive: true, force: true }),
  }))
}

async function unfinishedDeletions(context: Context) {
  const ids = listRemovedIds(context.db)
  const problems = ids.map((id) => ({
    subject: `repository ${id}`,
    text: 'is deleted, and its directory is still to be removed',
    repair: () => sweepRemoved(context),
  }))
  return { examined: ids.length, problems }
}

/** Directories that no row knows; those of deletions under way are counted there. */
async function orphanDirectories(context: Context) {
  const known = new Set([...listRepos(context.db).map((repo) => repo.id), ...listRemovedIds(context.db)])
  const ids = readdirSync(dirname(context.git.pathOf(0))).flatMap((name) => (/^\d{1,15}\.git$/.test(name) ? [Number.parseInt(name, 10)] : []))
  const problems = ids
    .filter((id) => !known.has(id))
    .map((id) => ({ subject: `repository ${id}`, text: `${context.git.pathOf(id)} belongs to no repository`, repair: () => context.git.remove(id) }))
  return { examined: ids.length, problems }
}

function hasDirectory(context: Context, repo: NamedRepo): boolean {
  return existsSync(join(context.git.pathOf(repo.id), 'HEAD'))
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
