import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { accessStore, type RepoRow, recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import type { ImportedRepository } from '#git/foreign/import-repository.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { publishPacks } from '#git/packs/publish.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { messageOf, NotFound, Unprocessable } from '#kernel/errors.ts'
import { listRefs, type RefUpdate, updateRefs } from '#repositories/refs/index.ts'
import { createRepo } from '#repositories/repos/index.ts'
import { expectUpkeep } from '#repositories/upkeep/index.ts'
import { claimPlace, makeWorkPlace, removePlace } from './places.ts'
import type { Unadopted } from './unadopted.ts'

/**
 * Makes a repository of one that waits, private as Gitea makes it. Its objects come in as a push would bring them, its
 * refs and the repository in one transaction, and only then what waited goes: whatever fails before leaves it as it was,
 * and what fails after is made up for by adopting once more.
 * @throws NotFound when the repository exists; Conflict when it is being adopted; Unprocessable with the reason why it cannot be
 */
export async function adopt(context: Context, actor: UserRow, found: Unadopted): Promise<void> {
  using _claim = claimPlace(found.path)
  requireRemovable(found)
  await using work = makeWorkPlace(context)
  const known = accessStore.findRepo(context.db, found.owner.id, found.name)
  const imported = await takeIn(context, found, work.path)
  if (known) requireAdopted(context.db, known, imported)
  else expectUpkeep(context, land(context, actor, found, imported).id)
  try {
    removePlace(context, found.path)
  } catch (error) {
    context.log.error('cannot remove what was adopted', error, { path: found.path })
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
function requireAdopted(db: Db, repo: RepoRow, { refs }: ImportedRepository): void {
  const stored = new Map(listRefs(db, repo.id).map((ref) => [ref.name, ref.oid]))
  if (refs.size > 0 && [...refs].every(([name, oid]) => stored.get(name) === oid)) return
  throw new NotFound('There is a repository of that name already; what waits under it is another one.')
}

/** One transaction without a pause. The pack becomes visible just before the commit, as a push's does. */
function land(context: Context, actor: UserRow, found: Unadopted, imported: ImportedRepository): RepoRow {
  let id: number | undefined
  try {
    return context.db.tx((tx) => {
      recheckAccount(tx, actor)
      const owner = accessStore.findUserById(tx, found.owner.id)
      if (!owner) throw new NotFound()
      const repo = createRepo(context, { owner, actor, name: found.name, private: true, defaultBranch: imported.headBranch })
      id = repo.id
      const { pack } = imported
      if (pack) {
        const results = updateRefs(context, tx, {
          repoId: id,
          actorId: actor.id,
          message: 'adopted',
          updates: updatesOf(imported),
          atomic: true,
          isBeginning: true,
        })
        const refused = results.find((one) => !one.ok)
        if (refused) throw new Unprocessable(`Cannot adopt ${found.fullName}: ${refused.name}: ${refused.reason}`)
        publishPacks([pack.packPath], join(context.git.pathOf(id), 'objects', 'pack'))
      }
      return repo
    })
  } catch (error) {
    if (id !== undefined) context.git.clear(id)
    throw error instanceof GitError ? new Unprocessable(`Cannot adopt ${found.fullName}: ${messageOf(error)}`, { cause: error }) : error
  }
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
