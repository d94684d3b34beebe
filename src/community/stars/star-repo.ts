import { type RepoRow, refuseBlocked, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { starring } from './interest-store.ts'

/** @throws Forbidden when the repository's owner blocked the person */
export function starRepo(context: Pick<Context, 'clock' | 'db'>, user: UserRow, repo: RepoRow): void {
  context.db.tx((tx) => {
    refuseBlocked(tx, repo.owner_id, user.id)
    starring.begin(tx, user.id, repo.id, context.clock.seconds())
  })
}
