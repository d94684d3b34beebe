import { type RepoAccess, refuseBlocked, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Database, Db } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { forgetLeaver } from '#people/leaving/index.ts'
import { findKnownPerson, refuseGivingMore } from './rules.ts'
import { removeCollaboration, setCollaboration } from './store.ts'

/**
 * Opens the repository to a person, or changes how far.
 * @throws Forbidden when `level` is above the viewer's own, or the owner and the person keep away from each other; Unprocessable for who cannot be a collaborator
 */
export function setCollaborator(db: Database, viewer: Viewer, repo: RepoAccess, name: string, level: 'read' | 'write' | 'admin'): void {
  refuseGivingMore(repo, level)
  db.tx((tx) => {
    const person = getCandidate(tx, viewer, repo, name)
    if (person.id === repo.owner.id) throw new Unprocessable(`${person.name} owns the repository`)
    if (person.is_active === 0) throw new Unprocessable("collaborator's account is inactive")
    refuseBlocked(tx, repo.owner.id, person.id)
    refuseBlocked(tx, person.id, repo.owner.id)
    setCollaboration(tx, repo.row.id, person.id, level)
  })
}

/** Takes away what the person was given by name; for who was given nothing, nothing happens. @throws Unprocessable when there is no such person */
export function removeCollaborator(context: Pick<Context, 'db' | 'jobs'>, viewer: Viewer, repo: RepoAccess, name: string): void {
  context.db.tx((tx) => {
    const person = getCandidate(tx, viewer, repo, name)
    removeCollaboration(tx, repo.row.id, person.id)
    forgetLeaver(context, tx, person.id, repo.owner.id)
  })
}

function getCandidate(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow {
  const found = findKnownPerson(db, viewer, repo, name)
  if (!found) throw new Unprocessable(`user does not exist [name: ${name.slice(0, 100)}]`)
  return found
}
