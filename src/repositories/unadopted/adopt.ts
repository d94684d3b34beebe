import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { accessStore, type RepoRow, recheckAccount, type UserRow, wikiIdOf, wikiOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import type { ImportedRepository } from '#git/foreign/import-repository.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { publishPacks } from '#git/packs/publish.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { messageOf, NotFound, Unprocessable } from '#kernel/errors.ts'
import { listRefs, type RefUpdate, updateRefs } from '#repositories/refs/index.ts'
import { createRepo, makeWikiStore } from '#repositories/repos/index.ts'
import { expectUpkeep } from '#repositories/upkeep/index.ts'
import { claimPlace, findWikiPlace, makeWorkPlace, removePlace } from './places.ts'
import type { Unadopted } from './unadopted.ts'

/**
 * Makes a repository of one that waits, private as Gitea makes it, with the wiki that waits beside it. Their objects come in as
 * pushes would bring them, all refs and the repository in one transaction, and only then what waited goes: whatever fails before
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
  if (known) requireAdopted(context.db, known, imported)
  else expectUpkeep(context, land(context, actor, found, imported).id)
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

function tryRemove(context: Context, path: string): boolean {
  try {
    removePlace(context, path)
    return true
  } catch (error) {
    context.log.error('cannot remove what was adopted', error, { path })
    return false
  }
}

/** What has been adopted goes away: better to know before that it cannot. */
function requireRemovable(found: Unadopted): void {
  try {
    accessSync(dirname(found.path), constants.W_OK)
  } catch (cause) {
    throw new Unprocessable(`Cannot adopt ${found.fullName}: the server may not write to the directory it lies in`, { cause })
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
    return await call.result
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    const reason = isLate ? `it takes longer than ${seconds} seconds (git.REQUEST_SECONDS)` : error.message.replace('Cannot accept pack: ', '')
    throw new Unprocessable(`Cannot adopt ${found.fullName}: ${reason}`, { cause: error })
  } finally {
    clearTimeout(deadline)
  }
}

/** A crash after the transaction leaves what was adopted where it waited: nothing new is in it then. @throws NotFound for any other repository of that name */
function requireAdopted(db: Db, repo: RepoRow, { code, wiki }: Imported): void {
  if (code.refs.size > 0 && isStored(db, repo.id, code) && (!wiki || isStored(db, wikiIdOf(repo.id), wiki))) return
  throw new NotFound('There is a repository of that name already; what waits under it is another one.')
}

function isStored(db: Db, storeId: number, { refs }: ImportedRepository): boolean {
  const stored = new Map(listRefs(db, storeId).map((ref) => [ref.name, ref.oid]))
  return [...refs].every(([name, oid]) => stored.get(name) === oid)
}

/** One transaction without a pause. The packs become visible just before the commit, as a push's does. */
function land(context: Context, actor: UserRow, found: Unadopted, { code, wiki }: Imported): RepoRow {
  let id: number | undefined
  try {
    return context.db.tx((tx) => {
      recheckAccount(tx, actor)
      const owner = accessStore.findUserById(tx, found.owner.id)
      if (!owner) throw new NotFound()
      const repo = createRepo(context, { owner, actor, name: found.name, private: true, defaultBranch: code.headBranch })
      id = repo.id
      fill(context, tx, { storeId: id, actor, name: found.fullName }, code)
      if (wiki?.pack) {
        makeWikiStore(context, wikiOf(repo))
        fill(context, tx, { storeId: wikiIdOf(id), actor, name: `${found.fullName}.wiki` }, wiki)
      }
      return repo
    })
  } catch (error) {
    if (id !== undefined) for (const storeId of [id, wikiIdOf(id)]) context.git.clear(storeId)
    throw error instanceof GitError ? new Unprocessable(`Cannot adopt ${found.fullName}: ${messageOf(error)}`, { cause: error }) : error
  }
}

/** @throws Unprocessable when a ref is refused */
function fill(context: Context, tx: Tx, { storeId, actor, name }: { storeId: number; actor: UserRow; name: string }, imported: ImportedRepository): void {
  if (!imported.pack) return
  const updates = updatesOf(imported)
  const results = updateRefs(context, tx, { repoId: storeId, actorId: actor.id, message: 'adopted', updates, atomic: true, isBeginning: true })
  const refused = results.find((one) => !one.ok)
  if (refused) throw new Unprocessable(`Cannot adopt ${name}: ${refused.name}: ${refused.reason}`)
  publishPacks([imported.pack.packPath], join(context.git.pathOf(storeId), 'objects', 'pack'))
}

/** @throws GitError `corrupt` when a branch ends at something that is no commit */
function updatesOf({ refs, pack }: ImportedRepository): RefUpdate[] {
  const tips = new Map(pack?.tips.map((tip) => [tip.oid, tip]))
  return [...refs].map(([name, oid]) => {
    const tip = tips.get(oid)
    if (name.startsWith(HEADS) && tip?.type !== 'commit') throw new GitError('corrupt', `the branch ${name} is a ${tip?.type}`)
    return { name, old: SHA1.zero, new: oid, peeled: tip?.peeled, time: tip?.time, fastForward: true }
  })
}
