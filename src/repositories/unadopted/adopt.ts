import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { accessStore, type RepoRow, recheckAccount, type UserRow, wikiIdOf, wikiOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import type { ImportedRepository } from '#git/foreign/import-repository.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { publishPacks } from '#git/packs/write/publish.ts'
import { HEADS, type RefName } from '#git/refs/names.ts'
import { linesOf, type RefChunk } from '#git/workers/ref-list.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Tx } from '#kernel/db.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { messageOf, NotFound, Unprocessable } from '#kernel/errors.ts'
import {
  beginWithRefs,
  type FirstRefs,
  putFirstRefs,
  REFUSED_WITH_OTHERS,
  type RefUpdate,
  refSnapshot,
  standAside,
  updateRefs,
} from '#repositories/refs/index.ts'
import { awaitRepo, createRepo, makeWikiStore } from '#repositories/repos/index.ts'
import { expectUpkeep } from '#repositories/upkeep/index.ts'
import { claimPlace, findWikiPlace, makeWorkPlace, removePlace } from './places.ts'
import type { Unadopted } from './unadopted.ts'

/** So many refs are not written in one transaction. */
const MANY_REFS = 500
/** For the reflog. */
const MESSAGE = 'adopted'

/**
 * Makes a repository of one that waits, private as Gitea makes it, with the wiki that waits beside it. Their objects come in as
 * pushes would bring them, the repository and its refs are there in one transaction, and only then what waited goes: whatever fails before
 * leaves it as it was, and what fails after is made up for by adopting once more.
 * @throws NotFound when the repository exists; Conflict when it is being adopted; Unprocessable with the reason why it cannot be
 */
export async function adopt(context: Context, actor: UserRow, found: Unadopted): Promise<void> {
  using _claim = claimPlace(found.path)
  requireRemovable(found)
  await using work = makeWorkPlace(context)
  await using wikiWork = makeWorkPlace(context)
  const wiki = wikiOfUnadopted(found)
  const known = accessStore.findRepo(context.db, found.owner.id, found.name)
  const imported = { code: await takeIn(context, found, work.path), wiki: wiki && (await takeIn(context, wiki, wikiWork.path)) }
  if (known) await requireAdopted(context, known, imported)
  else expectUpkeep(context, (await land(context, actor, found, imported)).id)
  // The repository goes last: while it waits, adopting it again takes care of both.
  for (const path of [wiki?.path, found.path]) if (path !== undefined && !tryRemove(context, path)) break
}

/** What is taken in before any of it can be seen. */
interface Imported {
  code: ImportedRepository
  wiki: ImportedRepository | undefined
}

function wikiOfUnadopted({ path, fullName, ...rest }: Unadopted): Unadopted | undefined {
  const beside = findWikiPlace(path)
  return beside === undefined ? undefined : { ...rest, fullName: `${fullName}.wiki`, path: beside }
}

function tryRemove(context: Pick<Context, 'disk' | 'tasks' | 'log'>, path: string): boolean {
  try {
    removePlace(context, path)
    return true
  } catch (error) {
    context.disk.report(error)
    context.log.error('cannot remove the original directory of an adopted repository', error, { path })
    return false
  }
}

/** What has been adopted goes away: better to know before that it cannot. */
function requireRemovable(found: Unadopted): void {
  try {
    accessSync(dirname(found.path), constants.W_OK)
  } catch (cause) {
    throw new Unprocessable(`Cannot adopt ${found.fullName}: the server has no write permission for its parent directory`, { cause })
  }
}

/** Reads it in a worker, for as long as a push may take. @throws Unprocessable */
async function takeIn(context: Pick<Context, 'config' | 'git'>, found: Unadopted, workPlace: string): Promise<ImportedRepository> {
  const seconds = context.config.git.REQUEST_SECONDS
  const call = context.git.pool.stream('importRepository', { path: workPlace, limits: context.git.limits }, { source: found.path })
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    call.abort()
  }, seconds * 1000)
  try {
    const { refs, ...rest } = await call.result
    return { ...rest, refs: await readRefs(found, refs) }
  } catch (error) {
    const trouble = diskTroubleOf(error)
    // What waits may be another account's, and is named then.
    if (!(error instanceof GitError) || (trouble && trouble !== 'forbidden')) throw error
    const reason = isLate ? `it took longer than ${seconds} seconds (git.REQUEST_SECONDS)` : error.message.replace('Cannot accept pack: ', '')
    throw new Unprocessable(`Cannot adopt ${found.fullName}: ${reason}`, { cause: error })
  } finally {
    clearTimeout(deadline)
  }
}

/** @throws Unprocessable when a ref that stands aside has no room there */
async function readRefs({ fullName }: Unadopted, chunks: readonly RefChunk[]): Promise<ImportedRepository['refs']> {
  const refs = new Map<RefName, Oid>()
  for (const chunk of chunks) {
    for (const [oid, line] of linesOf(chunk)) {
      const name = standAside(line as RefName)
      if (refs.has(name)) throw new Unprocessable(`Cannot adopt ${fullName}: ${line} would become ${name}, which already exists`)
      refs.set(name, oid as Oid)
    }
    if (isDue()) await breathe()
  }
  return refs
}

/** A crash after the transaction leaves what was adopted where it waited: nothing new is in it then. @throws NotFound for any other repository of that name */
async function requireAdopted(context: Pick<Context, 'db' | 'services'>, repo: RepoRow, { code, wiki }: Imported): Promise<void> {
  if (code.refs.size > 0 && (await isStored(context, repo, code)) && (!wiki || (await isStored(context, wikiOf(repo), wiki)))) return
  throw new NotFound('A repository with this name already exists, and its content differs from the unadopted one.')
}

async function isStored(context: Pick<Context, 'db' | 'services'>, store: RepoRow, { refs }: ImportedRepository): Promise<boolean> {
  let same = 0
  for (const chunk of (await refSnapshot(context, store)).chunks) {
    for (const [oid, name] of linesOf(chunk)) if (refs.get(name as RefName) === oid) same++
    if (isDue()) await breathe()
  }
  return same === refs.size
}

/** Very many refs are written ahead, a few at a time. @throws Unprocessable when a ref is refused */
async function land(context: Context, actor: UserRow, found: Unadopted, { code, wiki }: Imported): Promise<RepoRow> {
  const coming = { found, actor, code, updates: await updatesOf(found.fullName, code), wiki, ofWiki: wiki && (await updatesOf(`${found.fullName}.wiki`, wiki)) }
  using kept = awaitRepo(context)
  if (coming.updates.length < MANY_REFS) return landAtOnce(context, coming, kept.id)
  const refs = await putFirstRefs(context, kept.id, coming.updates, { actorId: actor.id, message: MESSAGE }).catch((error) => {
    throw error instanceof Unprocessable ? new Unprocessable(`Cannot adopt ${found.fullName}: ${error.message}`, { cause: error }) : error
  })
  return landAtOnce(context, coming, kept.id, refs)
}

interface Coming extends Imported {
  found: Unadopted
  actor: UserRow
  updates: readonly RefUpdate[]
  ofWiki: readonly RefUpdate[] | undefined
}

/** One transaction without a pause. The packs become visible just before the commit, as a push's does. */
function landAtOnce(context: Context, { found, actor, code, updates, wiki, ofWiki }: Coming, id: number, ahead?: FirstRefs): RepoRow {
  try {
    return context.db.tx((tx) => {
      recheckAccount(tx, actor)
      const owner = accessStore.findUserById(tx, found.owner.id)
      if (!owner) throw new NotFound()
      const repo = createRepo(context, { owner, actor, name: found.name, private: true, defaultBranch: code.headBranch, id })
      if (ahead) beginWithRefs(context, tx, repo, ahead)
      else if (code.pack) moveAll(context, tx, { storeId: id, actor, name: found.fullName }, updates)
      publish(context, id, code)
      if (wiki?.pack && ofWiki) {
        tx.onRollback(() => context.git.clear(wikiIdOf(id)))
        makeWikiStore(context, wikiOf(repo))
        moveAll(context, tx, { storeId: wikiIdOf(id), actor, name: `${found.fullName}.wiki` }, ofWiki)
        publish(context, wikiIdOf(id), wiki)
      }
      return repo
    })
  } catch (error) {
    throw error instanceof GitError && !diskTroubleOf(error)
      ? new Unprocessable(`Cannot adopt ${found.fullName}: ${messageOf(error)}`, { cause: error })
      : error
  }
}

interface Filled {
  storeId: number
  actor: UserRow
  name: string
}

/** @throws Unprocessable when a ref is refused */
function moveAll(context: Context, tx: Tx, { storeId, actor, name }: Filled, updates: readonly RefUpdate[]): void {
  const results = updateRefs(context, tx, { repoId: storeId, actorId: actor.id, message: MESSAGE, updates, atomic: true, isBeginning: true })
  const refused = results.filter((one) => !one.ok)
  const cause = refused.find(({ reason }) => reason !== REFUSED_WITH_OTHERS) ?? refused[0]
  if (cause) throw new Unprocessable(`Cannot adopt ${name}: ${cause.name}: ${cause.reason}`)
}

function publish(context: Pick<Context, 'git'>, storeId: number, { pack }: ImportedRepository): void {
  if (pack) publishPacks([pack.packPath], join(context.git.pathOf(storeId), 'objects', 'pack'))
}

/** @throws Unprocessable when a branch ends at something that is no commit */
async function updatesOf(fullName: string, { refs, pack }: ImportedRepository): Promise<RefUpdate[]> {
  if (!pack) return []
  const tips = new Map(pack.tips.map((tip) => [tip.oid, tip]))
  const updates: RefUpdate[] = []
  for (const [name, oid] of refs) {
    const tip = tips.get(oid)
    if (name.startsWith(HEADS) && tip?.type !== 'commit') throw new Unprocessable(`Cannot adopt ${fullName}: the branch ${name} is a ${tip?.type}`)
    updates.push({ name, old: SHA1.zero, new: oid, peeled: tip?.peeled, time: tip?.time, fastForward: true })
    if (isDue()) await breathe()
  }
  return updates
}
