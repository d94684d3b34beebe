import {
  accessStore,
  anonymous,
  atLeast,
  canSeeUser,
  knownFellows,
  type Level,
  type Member,
  permissionIn,
  type RepoAccess,
  type UserRow,
  type Viewer,
  visibleAccounts,
} from '#access/index.ts'
import type { Condition } from '#kernel/database/condition.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden } from '#kernel/errors.ts'
import { isCandidate } from './candidates-store.ts'

/** What a person may do in the repository, whoever asks. */
export function levelOf(db: Db, { row, owner }: Pick<RepoAccess, 'row' | 'owner'>, person: UserRow): Level {
  return permissionIn(db, { ...anonymous, user: person }, row, owner).level
}

/** A person by name, as far as the viewer is to know of them: who administers the repository knows whoever has a part in it, however private. */
export function findKnownPerson(db: Db, viewer: Viewer, repo: RepoAccess, name: string): UserRow | undefined {
  const found = accessStore.findUserByName(db, name)
  if (found?.kind !== 'person') return undefined
  return canSeeUser(viewer, found) || isKnownFellow(db, viewer, repo, found.id) ? found : undefined
}

function isKnownFellow(db: Db, viewer: Viewer, repo: RepoAccess, userId: number): boolean {
  if (!atLeast(repo.permission.level, 'admin') || viewer.grant?.publicOnly === true) return false
  return accessStore.findCollaboration(db, repo.row.id, userId) !== undefined || isCandidate(db, userId, repo, 'reviews')
}

/** Which collaborators are shown: all of them to who gives and takes their rights, to others those whom they see elsewhere too. */
export function collaboratorsKnownTo(viewer: Viewer, { permission }: RepoAccess): Condition {
  return atLeast(permission.level, 'admin') ? knownFellows(viewer) : visibleAccounts(viewer)
}

/** @throws Forbidden for who administers nothing here and asks what somebody else may do */
export function refuseAskingAboutOthers({ user }: Member, { permission }: RepoAccess, name: string): void {
  if (atLeast(permission.level, 'admin') || user.lower_name === name.toLowerCase()) return
  throw new Forbidden('Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own')
}

/** @throws Forbidden when `level` is above the viewer's own */
export function refuseGivingMore({ permission }: RepoAccess, level: Level): void {
  if (!atLeast(permission.level, level)) throw new Forbidden('You cannot grant a permission higher than your own.')
}

/** Reviews are asked for by who may be asked for one, as in Gitea. @throws Forbidden for others, and where nothing is reviewed any more */
export function requireReviewAsker(db: Db, viewer: Member, repo: RepoAccess): void {
  const mayAsk = atLeast(repo.permission.of('pulls'), 'write') || isCandidate(db, viewer.user.id, repo, 'reviews')
  if (repo.row.archived_at !== null || !mayAsk) throw new Forbidden('doer has no permission to get reviewers')
}
