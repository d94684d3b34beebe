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
} from '../access/index.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../kernel/db.ts'
import { Forbidden, Unprocessable } from '../kernel/errors.ts'
import { deactivateHooksOf } from '../webhooks/index.ts'
import { listCollaboratedRepos, listInsiders, removeCollaboration, setCollaboration } from './store.ts'

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
    retireHooks(context, tx, repo, person)
  })
}

/** Takes away what the person was given by name; for who was given nothing, nothing happens. @throws Unprocessable when there is no such person */
export function removeCollaborator(context: Context, viewer: Viewer, repo: RepoAccess, name: string): void {
  context.db.tx((tx) => {
    const person = getCandidate(tx, viewer, repo, name)
    removeCollaboration(tx, repo.row.id, person.id)
    retireHooks(context, tx, repo, person)
  })
}

/** Takes away what a person was given in all repositories of `owner`. */
export function removeCollaborationsOf(context: Context, tx: Tx, person: UserRow, owner: UserRow): void {
  for (const row of listCollaboratedRepos(tx, person.id, owner.id)) {
    removeCollaboration(tx, row.id, person.id)
    retireHooks(context, tx, { row, owner }, person)
  }
}

/** What a person may do in the repository, whoever asks. */
export function levelOf(db: Db, { row, owner }: Pick<RepoAccess, 'row' | 'owner'>, person: UserRow): Level {
  return permissionIn(db, { ...anonymous, user: person }, row, owner).level
}

/** Active people who have at least `least` in the repository by name: as its owner, a collaborator, or in its organization. */
export function listPeopleWith(db: Db, repo: RepoAccess, least: Level): UserRow[] {
  return listInsiders(db, repo.row.id, repo.owner.id).filter((person) => atLeast(levelOf(db, repo, person), least))
}

/** Who no longer administers a repository is told nothing of it: CVE-2026-58440. */
function retireHooks({ clock }: Context, tx: Tx, repo: Pick<RepoAccess, 'row' | 'owner'>, person: UserRow): void {
  if (!atLeast(levelOf(tx, repo, person), 'admin')) deactivateHooksOf(tx, repo.row.id, person.id, clock.seconds())
}

/** A person by name, as far as the viewer is to know of them: whoever has a part in the repository is known in it. */
export function findKnownPerson(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow | undefined {
  const found = accessStore.findUserByName(db, name)
  if (found?.kind !== 'person') return undefined
  return canSeeUser(viewer, found) || accessStore.findCollaboration(db, repo.row.id, found.id) ? found : undefined
}

function getCandidate(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow {
  const found = findKnownPerson(db, viewer, repo, name)
  if (!found) throw new Unprocessable(`user does not exist [name: ${name.slice(0, 100)}]`)
  return found
}
