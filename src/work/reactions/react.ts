import { type RepoAccess, refuseBlocked, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Forbidden } from '#kernel/errors.ts'
import { type IssueRow, refuseLocked } from '#work/issues/index.ts'
import { deleteReaction, findReaction, insertReaction, type ReactionRow, type Target } from './store.ts'

/** What somebody reacts to, and who wrote it. */
export interface Spot {
  viewer: Viewer
  repo: RepoAccess
  issue: IssueRow
  target: Target
  posterId: number | null
}

/** @throws Forbidden for a sign that is none, where the conversation is locked, and for whom the owner or the author blocked */
export function react(context: Pick<Context, 'config' | 'db' | 'clock'>, spot: Spot, content = ''): { row: ReactionRow; isNew: boolean } {
  const user = requireReacting(spot)
  if (!context.config.ui.REACTIONS.includes(content)) throw new Forbidden(`'${content.slice(0, 50)}' is not an allowed reaction`)
  return context.db.tx((tx) => {
    refuseBlocked(tx, spot.repo.owner.id, user.id)
    if (spot.posterId !== null) refuseBlocked(tx, spot.posterId, user.id)
    const isNew = insertReaction(tx, spot.target, user.id, content, context.clock.seconds())
    return { isNew, row: findReaction(tx, spot.target, user.id, content) as ReactionRow }
  })
}

/** One that is not there is no mistake. @throws Forbidden where the conversation is locked */
export function unreact(context: Pick<Context, 'db'>, spot: Spot, content = ''): void {
  const user = requireReacting(spot)
  context.db.tx((tx) => deleteReaction(tx, spot.target, user.id, content))
}

function requireReacting({ viewer, repo, issue }: Spot): UserRow {
  const { user } = requireUser(viewer)
  refuseLocked(repo, issue, 'no permission to change reaction')
  return user
}
