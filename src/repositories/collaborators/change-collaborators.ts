import {
  accessStore,
  anonymous,
  atLeast,
  canSeeUser,
  type Level,
  permissionIn,
  type RepoAccess,
  refuseBlocked,
  type UserRow,
  type Viewer,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, Unprocessable } from '#kernel/errors.ts'
import { removeCollaboration, setCollaboration } from './store.ts'

/**
 * Opens the repository to a person, or changes how far.
 * @throws Forbidden when `level` is above the viewer's own, or the owner and the person keep away from each other; Unprocessable for who cannot be a collaborator
 */
export function setCollaborator(context: Context, viewer: Viewer, repo: RepoAccess, name: string, level: 'read' | 'write' | 'admin'): void {
  if (!atLeast(repo.permission.level, level)) throw new Forbidden('You cannot give more rights than you have.')
  context.db.tx((tx) => {
    const person = getCandidate(tx, viewer, repo, name)
    if (person.id === repo.owner.id) throw new Unprocessable(`${person.name} owns the repository`)
    if (person.is_active === 0) throw new Unprocessable("collaborator's account is inactive")
    refuseBlocked(tx, repo.owner.id, person.id)
    refuseBlocked(tx, person.id, repo.owner.id)
    setCollaboration(tx, repo.row.id, person.id, level)
  })
}

/** Takes away what the person was given by name; for who was given nothing, nothing happens. @throws Unprocessable when there is no such person */
export function removeCollaborator(context: Context, viewer: Viewer, repo: RepoAccess, name: string): void {
  context.db.tx((tx) => {
    const person = getCandidate(tx, viewer, repo, name)
    removeCollaboration(tx, repo.row.id, person.id)
  })
}

/** What a person may do in the repository, whoever asks. */
export function levelOf(db: Db, { row, owner }: Pick<RepoAccess, 'row' | 'owner'>, person: UserRow): Level {
  return permissionIn(db, { ...anonymous, user: person }, row, owner).level
}

/** A person by name, as far as one who administers the repository is to know of them: whoever has a part in it is known there. */
export function findKnownPerson(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow | undefined {
  const found = accessStore.findUserByName(db, name)
  if (found?.kind !== 'person') return undefined
  const isFellow = viewer.grant?.publicOnly !== true && accessStore.findCollaboration(db, repo.row.id, found.id) !== undefined
  return isFellow || canSeeUser(viewer, found) ? found : undefined
}

function getCandidate(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow {
  const found = findKnownPerson(db, viewer, repo, name)
  if (!found) throw new Unprocessable(`user does not exist [name: ${name.slice(0, 100)}]`)
  return found
}
