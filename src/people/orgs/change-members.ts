import type { Member, OrgAccess, UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { forgetLeaver } from '#people/leaving/index.ts'
import type { UserContext } from '#people/users/index.ts'
import { countOwners, findMember, removeMember, setMembershipPublic } from './member-store.ts'
import { refuseShowingOthers } from './rules.ts'

/** Takes a member out of all teams and so out of the organization. Who is none stays out. @throws Unprocessable for the last owner */
export function dismissMember(context: Pick<Context, 'db' | 'jobs'>, org: UserRow, user: UserRow): void {
  context.db.tx((tx) => {
    const member = findMember(tx, org.id, user.id)
    if (!member) return
    if (member.is_owner === 1) refuseLastOwner(tx, org.id)
    removeMember(tx, org.id, user.id)
    forgetLeaver(context, tx, user.id, org.id)
  })
}

/** @throws Unprocessable when the organization has but one owner */
export function refuseLastOwner(tx: Tx, orgId: number): void {
  if (countOwners(tx, orgId) === 1) throw new Unprocessable('user is the last member of the Owners team')
}

/**
 * Lets everybody know of a membership, or not.
 * @throws Forbidden on another member's, unless the viewer owns the organization; NotFound for who is no member
 */
export function showMembership(context: UserContext, viewer: Member, org: OrgAccess, user: UserRow, isPublic: boolean): void {
  refuseShowingOthers(viewer, org, user, isPublic)
  context.db.tx((tx) => {
    if (!findMember(tx, org.row.id, user.id)) throw new NotFound()
    setMembershipPublic(tx, org.row.id, user.id, isPublic)
  })
}
