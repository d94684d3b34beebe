import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { accessStore, type RepoRow, type UserRow } from '../access/index.ts'
import type { Context } from '../context.ts'
import { deleteRepoRow, forgetRemoved, listRemoved } from './store.ts'

/** A directory this young may belong to a row that is about to be committed. */
const ORPHAN_SECONDS = 3600

/** Deletes a repository: once its row is durably gone, its directory follows. */
export function deleteRepo(context: Context, { actor, owner, repo }: { actor: UserRow; owner: UserRow; repo: RepoRow }): void {
  context.db.tx((tx) => {
    deleteRepoRow(tx, repo.id, context.clock.seconds())
    context.events.record(tx, { type: 'repository', action: 'deleted', actorId: actor.id, repoId: repo.id, fullName: `${owner.name}/${repo.name}` })
  })
  removeDirectory(context, repo.id)
}

/** Finishes deletions that a crash interrupted, and removes directories that a crash during creation left. Call at start. */
export function sweepRemoved(context: Context): void {
  for (const id of listRemoved(context.db)) removeDirectory(context, id)
  for (const id of listOrphans(context)) context.git.remove(id)
}

function removeDirectory(context: Context, repoId: number): void {
  context.git.remove(repoId)
  context.db.tx((tx) => forgetRemoved(tx, repoId))
}

function listOrphans(context: Context): number[] {
  const directory = dirname(context.git.pathOf(0))
  const ids = readdirSync(directory).flatMap((name) => (/^\d{1,15}\.git$/.test(name) ? [Number.parseInt(name, 10)] : []))
  const oldest = context.clock.millis() - ORPHAN_SECONDS * 1000
  return ids.filter((id) => !accessStore.findRepoById(context.db, id) && statSync(join(directory, `${id}.git`)).mtimeMs < oldest)
}
