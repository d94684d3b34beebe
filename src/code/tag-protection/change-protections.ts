import { accessStore, type RepoAccess, refuseArchived, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { BadRequest, Forbidden, messageOf, NotFound, Unprocessable } from '#kernel/errors.ts'
import { findKnownPerson } from '#repositories/collaborators/index.ts'
import { compilePattern } from './name-pattern.ts'
import type { TagProtectionOption } from './schema.ts'
import {
  findTagProtection,
  findTagProtectionByPattern,
  insertTagProtection,
  listTagProtections,
  removeTagProtection,
  replaceTeams,
  replaceUsers,
  type TagProtectionRow,
  updateTagProtection,
} from './store.ts'

type Changing = Pick<Context, 'db' | 'clock'>

/** As many protections as a repository may have: each is asked about on every change of a tag. */
const MAX_PROTECTIONS = 100

/**
 * @throws Locked when the repository is archived; BadRequest without a pattern, or anybody listed; Forbidden when the pattern is there already;
 *   Unprocessable on a pattern that is none, and names of nobody whom the viewer may know
 */
export function addTagProtection(context: Changing, viewer: Viewer, repo: RepoAccess, body: TagProtectionOption): TagProtectionRow {
  refuseArchived(repo)
  if (!body.whitelist_usernames?.length && !body.whitelist_teams?.length) throw new BadRequest('both whitelist_usernames and whitelist_teams are empty')
  const now = context.clock.seconds()
  return context.db.tx((tx) => {
    const pattern = checkPattern(tx, repo, body.name_pattern ?? '', undefined)
    const { users, teams } = allowedIn(tx, viewer, repo, body)
    const id = insertTagProtection(tx, { repo_id: repo.row.id, name_pattern: pattern, created_at: now, updated_at: now })
    if (listTagProtections(tx, repo.row.id).length > MAX_PROTECTIONS)
      throw new Unprocessable(`A repository can have at most ${MAX_PROTECTIONS} tag protections`)
    replaceUsers(tx, id, users ?? [])
    replaceTeams(tx, id, teams ?? [])
    return get(tx, repo, id)
  })
}

/** What the body leaves out stays. @throws NotFound, and as `addTagProtection` */
export function editTagProtection(context: Changing, viewer: Viewer, repo: RepoAccess, id: number, body: TagProtectionOption): TagProtectionRow {
  refuseArchived(repo)
  return context.db.tx((tx) => {
    const row = get(tx, repo, id)
    const pattern = body.name_pattern === undefined ? row.name_pattern : checkPattern(tx, repo, body.name_pattern, id)
    const { users, teams } = allowedIn(tx, viewer, repo, body)
    updateTagProtection(tx, id, { name_pattern: pattern, updated_at: context.clock.seconds() })
    if (users) replaceUsers(tx, id, users)
    if (teams) replaceTeams(tx, id, teams)
    return get(tx, repo, id)
  })
}

/** Also in an archived repository, as in Gitea. @throws NotFound */
export function deleteTagProtection(context: Changing, repo: RepoAccess, id: number): void {
  context.db.tx((tx) => removeTagProtection(tx, get(tx, repo, id).id))
}

/** @throws NotFound */
export function get(db: Db, { row }: RepoAccess, id: number): TagProtectionRow {
  const found = findTagProtection(db, row.id, id)
  if (!found) throw new NotFound()
  return found
}

function checkPattern(db: Db, { row }: RepoAccess, text: string, id: number | undefined): string {
  const pattern = text.trim()
  if (pattern === '') throw new BadRequest('name_pattern are empty')
  try {
    compilePattern(pattern)
  } catch (cause) {
    throw new Unprocessable(`[name_pattern]: ${messageOf(cause)}`, { cause })
  }
  const taken = findTagProtectionByPattern(db, row.id, pattern)
  if (taken && taken.id !== id) throw new Forbidden('Tag protection already exist')
  return pattern
}

/** Ids of those that the body lists; undefined for a list that it leaves out. Teams are those of the owning organization. */
function allowedIn(db: Db, viewer: Viewer, repo: RepoAccess, { whitelist_usernames: users, whitelist_teams: teams }: TagProtectionOption) {
  const { owner } = repo
  return { users: users && idsOf(users, (name) => findKnownPerson(db, viewer, repo, name), 'user'), teams: teams && teamIds() }

  function teamIds(): number[] {
    return owner.kind === 'organization' ? idsOf(teams ?? [], (name) => accessStore.findTeamByName(db, owner.id, name), 'team') : []
  }
}

function idsOf(names: readonly string[], find: (name: string) => { id: number } | undefined, kind: string): number[] {
  const ids = names.map((name) => {
    const found = find(name)
    if (!found) throw new Unprocessable(`${kind} does not exist [name: ${name}]`)
    return found.id
  })
  return [...new Set(ids)]
}
