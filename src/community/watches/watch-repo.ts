import { type RepoRow, refuseBlocked, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { watching } from './interest-store.ts'
import { findWatch, type WatchRow } from './store.ts'

/** @throws Forbidden when the repository's owner blocked the person */
export function watchRepo(context: Pick<Context, 'clock' | 'db'>, user: UserRow, repo: RepoRow): WatchRow {
  return context.db.tx((tx) => {
    refuseBlocked(tx, repo.owner_id, user.id)
    watching.begin(tx, user.id, repo.id, context.clock.seconds())
    return findWatch(tx, user.id, repo.id) as WatchRow
  })
}
