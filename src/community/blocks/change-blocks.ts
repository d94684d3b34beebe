import { accessStore, findAccount, getAccount, type Member, type UserRow } from '#access/index.ts'
import { unfollowEachOther } from '#community/follows/index.ts'
import type { Context } from '#context.ts'
import type { Database, Db, Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { endWithOwner } from '#repositories/collaborators/index.ts'
import { letGo } from './part.ts'
import { hasBlock, insertBlock, removeBlock } from './store.ts'

/**
 * Keeps a person away from `blocker`, a person or an organization, and undoes what ties the two: follows, stars, watches and
 * collaborations, both ways. Source of the rules: Gitea's `services/user/block.go`.
 * @returns false when the person is blocked already; nothing changes then
 * @throws NotFound for whom the viewer may not see; Unprocessable for who cannot be blocked
 */
export function block(context: Pick<Context, 'clock' | 'db' | 'jobs'>, viewer: Member, blocker: UserRow, name: string, note: string): boolean {
  return context.db.tx((tx) => {
    const person = getAccount(tx, viewer, name)
    refuseUnblockable(tx, viewer, blocker, person)
    if (!insertBlock(tx, blocker.id, person.id, note, context.clock.seconds())) return false
    unfollowEachOther(tx, blocker.id, person.id)
    undoParts(context, tx, blocker, person)
    undoParts(context, tx, person, blocker)
    return true
  })
}

/**
 * Also of those whom the viewer may no longer see.
 * @returns false when the person was not blocked
 * @throws NotFound for nobody, and for other hidden accounts; Unprocessable for the viewer themself
 */
export function unblock(db: Database, viewer: Member, blocker: UserRow, name: string): boolean {
  return db.tx((tx) => {
    const person = getBlockable(tx, viewer, blocker, name)
    if (person.id === viewer.user.id) throw new Unprocessable('cannot unblock the user: you cannot unblock yourself')
    return removeBlock(tx, blocker.id, person.id)
  })
}

/** A person that the viewer may see, or that is blocked anyway. @throws NotFound */
export function getBlockable(db: Db, viewer: Member, blocker: UserRow, name: string): UserRow {
  const found = findAccount(db, name)
  return found && hasBlock(db, blocker.id, found.id) ? found : getAccount(db, viewer, name)
}

function refuseUnblockable(db: Db, viewer: Member, blocker: UserRow, person: UserRow): void {
  const refuse = (reason: string) => new Unprocessable(`cannot block the user: ${reason}`)
  if (person.kind === 'organization') throw refuse(`${person.name} is an organization; only people can be blocked`)
  if (person.id === blocker.id || person.id === viewer.user.id) throw refuse('you cannot block yourself')
  if (accessStore.findOrgRole(db, blocker.id, person.id)) throw refuse(`${person.name} is a member of ${blocker.name}`)
}

/** Takes from `user` what they have in repositories of `owner`. */
function undoParts(context: Pick<Context, 'jobs'>, tx: Tx, user: UserRow, owner: UserRow): void {
  letGo(context, tx, user.id, owner.id)
  endWithOwner(context, tx, owner.id, user.id)
}
