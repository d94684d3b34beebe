import { accessStore, canSeeUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'

/** A person whom a path names beside an organization or a team. @throws NotFound for who is absent, hidden or an organization */
export function getVisiblePerson(db: Db, viewer: Viewer, name: string): UserRow {
  const found = accessStore.findUserByName(db, name)
  if (found?.kind !== 'person' || !canSeeUser(viewer, found)) throw new NotFound(`user redirect does not exist [name: ${name}]`)
  return found
}

/** The same where those who share an organization know each other, however private. */
export function getFellow(db: Db, viewer: Viewer, orgId: number, name: string): UserRow {
  const found = accessStore.findUserByName(db, name)
  const isFellow = found && viewer.grant?.publicOnly !== true && accessStore.findOrgRole(db, orgId, found.id) !== undefined
  return found?.kind === 'person' && isFellow ? found : getVisiblePerson(db, viewer, name)
}
