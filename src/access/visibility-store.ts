import { allOf, anyOf, type Condition } from '#kernel/database/condition.ts'
import type { Db } from '#kernel/db.ts'
import { type Unit, units } from './levels.ts'
import type { RepoRow } from './rows.ts'
import type { Grant } from './scopes.ts'
import type { Viewer } from './viewer.ts'

const open = { sql: 'TRUE', values: [] } satisfies Condition
/** Repositories whose forks are becoming private with them, unless somebody has changed their mind. */
const HIDING = 'hiding_repository AS h WHERE NOT EXISTS (SELECT 1 FROM repository AS b WHERE b.id = h.id AND b.is_private = 0)'
/** Forks that are to become so, and count as private already. */
const TO_HIDE = `WITH RECURSIVE base (id, looked_to) AS (
    SELECT h.id, h.looked_to FROM ${HIDING}
    UNION SELECT f.id, 0 FROM base JOIN repository AS f ON f.fork_of = base.id AND f.id > base.looked_to AND f.fork_count > 0
  ) SELECT f.id FROM base CROSS JOIN repository AS f WHERE f.fork_of = base.id AND f.id > base.looked_to`
const isOpen = `+r.is_private = 0 AND r.id NOT IN (${TO_HIDE})`
const publicOnly = { sql: `(${isOpen} AND r.owner_id NOT IN (SELECT id FROM user WHERE visibility <> 'public'))`, values: [] } satisfies Condition
/** With all units switched off only its administrators see a repository. */
const hasUnits = {
  sql: `(r.settings = '{}' OR coalesce(json_array_length(r.settings, '$.disabled_units'), 0) < ${units.length})`,
  values: [],
} satisfies Condition

/**
 * The rows of `repository AS r` that the viewer can see: what `permissionIn` answers for one repository, as a
 * condition for lists. A test holds the two against each other. Both read the tables of collaborators, of teams and of transfers, which is what
 * those are there for; nothing else here does. It needs no join, so that counting reads one index alone;
 * the plus signs keep SQLite from finding rows by it, which would cost the order that the lists are read in.
 */
export function visibleTo(viewer: Viewer): Condition {
  return seenBy(viewer, hasUnits, 'any')
}

/** Those of which the viewer can read one unit; who administers a repository sees it without, but reads nothing that is switched off. */
export function readableBy(viewer: Viewer, unit: Unit): Condition {
  return allOf([switchedOn(unit), seenBy(viewer, open, unit)])
}

/** @param present what must be so for all but administrators. @param unit what a team has to grant for its repositories to be seen */
function seenBy(viewer: Viewer, present: Condition, unit: Unit | 'any'): Condition {
  const { user, grant } = viewer
  if (user === undefined) return allOf([publicOnly, present])
  const limit = limitOf(grant, present)
  if (user.is_admin === 1) return limit
  const granted = grantedBy(user.id, present, unit)
  if (user.is_restricted === 1) return allOf([limit, granted])
  return allOf([limit, anyOf([allOf([openToMember(user.id), present]), granted])])
}

/** Those that the viewer sees for more than that many do: as what they are to the owner or the repository, or to the site. */
export function grantedTo({ user, grant }: Viewer): Condition {
  if (user === undefined || grant?.publicOnly) return { sql: 'FALSE', values: [] }
  const limit = limitOf(grant, hasUnits)
  return user.is_admin === 1 ? limit : allOf([limit, grantedBy(user.id, hasUnits, 'any')])
}

function grantedBy(userId: number, present: Condition, unit: Unit | 'any'): Condition {
  const own = { sql: '+r.owner_id = ?', values: [userId] }
  const administered = { sql: "+r.id IN (SELECT repo_id FROM collaborator WHERE user_id = ? AND level = 'admin')", values: [userId] }
  const shared = allOf([present, anyOf([{ sql: '+r.id IN (SELECT repo_id FROM collaborator WHERE user_id = ?)', values: [userId] }, offeredTo(userId)])])
  const byTeam = unit === 'any' ? allOf([inTeams(userId, 'that read'), readByTeam(userId)]) : inTeamsFor(userId, unit)
  return anyOf([own, administered, shared, inTeams(userId, 'that administer'), byTeam])
}

/** What of all that its holder sees a token shows. */
function limitOf(grant: Grant | undefined, present: Condition): Condition {
  if (grant?.publicOnly) return publicOnly
  if (grant?.repoIds === undefined) return open
  return anyOf([allOf([publicOnly, present]), { sql: '+r.id IN (SELECT value FROM json_each(?))', values: [JSON.stringify([...grant.repoIds])] }])
}

/** What the person, or an organization in which they make repositories, may take or refuse. */
function offeredTo(userId: number): Condition {
  const orgs = 'SELECT team.org_id FROM team_member JOIN team ON team.id = team_member.team_id WHERE user_id = ? AND can_create_org_repo = 1'
  return { sql: `+r.id IN (SELECT repo_id FROM repository_transfer WHERE recipient_id = ? OR recipient_id IN (${orgs}))`, values: [userId, userId] }
}

function switchedOn(unit: Unit): Condition {
  const off = "SELECT value FROM json_each(r.settings, '$.disabled_units')"
  return { sql: `(r.settings = '{}' OR ? NOT IN (${off}))`, values: [unit] }
}

/** The repositories of the person's teams that grant a unit. */
function inTeamsFor(userId: number, unit: Unit): Condition {
  const teams = 'FROM team_member JOIN team ON team.id = team_member.team_id JOIN team_unit ON team_unit.team_id = team.id'
  const all = `SELECT team.org_id ${teams} WHERE user_id = ? AND unit = ? AND includes_all_repositories = 1`
  const some = `SELECT repo_id ${teams} JOIN team_repo ON team_repo.team_id = team.id WHERE user_id = ? AND unit = ?`
  return { sql: `(+r.owner_id IN (${all}) OR +r.id IN (${some}))`, values: [userId, unit, userId, unit] }
}

/** What a signed-in person sees without any grant, unless restricted: what is public, of owners that are not private or of their own organizations. */
function openToMember(userId: number): Condition {
  // The first condition is that of the index of the few who are hidden.
  const hidden = "SELECT id FROM user WHERE visibility <> 'public' AND visibility = 'private' AND id NOT IN (SELECT org_id FROM org_member WHERE user_id = ?)"
  return { sql: `(${isOpen} AND r.owner_id NOT IN (${hidden}))`, values: [userId] }
}

/** Units of Gitea's that stand for something outside the repository: a team that has no others reads nothing in it. */
const inside = "unit NOT IN ('ext_wiki', 'ext_issues')"
const kinds = {
  'that administer': "permission IN ('admin', 'owner')",
  'that read': `permission NOT IN ('admin', 'owner') AND EXISTS (SELECT 1 FROM team_unit WHERE team_unit.team_id = team.id AND ${inside})`,
} as const

/** The repositories of the person's teams of a kind; each set is made once for a whole list. */
function inTeams(userId: number, kind: keyof typeof kinds): Condition {
  const teams = 'FROM team_member JOIN team ON team.id = team_member.team_id'
  const all = `SELECT team.org_id ${teams} WHERE user_id = ? AND includes_all_repositories = 1 AND ${kinds[kind]}`
  const some = `SELECT repo_id ${teams} JOIN team_repo ON team_repo.team_id = team.id WHERE user_id = ? AND ${kinds[kind]}`
  return { sql: `(+r.owner_id IN (${all}) OR +r.id IN (${some}))`, values: [userId, userId] }
}

/** A team reads a unit that is not switched off; asked row by row only where any is. */
function readByTeam(userId: number): Condition {
  const sql = `(r.settings = '{}' OR EXISTS (
    SELECT 1 FROM team_member JOIN team ON team.id = team_member.team_id JOIN team_unit ON team_unit.team_id = team.id
    WHERE team_member.user_id = ? AND team_member.org_id = r.owner_id AND ${inside}
      AND unit NOT IN (SELECT value FROM json_each(r.settings, '$.disabled_units'))
      AND (includes_all_repositories = 1 OR EXISTS (SELECT 1 FROM team_repo WHERE team_repo.team_id = team.id AND repo_id = r.id))))`
  return { sql, values: [userId] }
}

/** What the account was given a part in, as a collaborator or in a team; not what it owns. */
export function contributedBy(userId: number): Condition {
  const shared = { sql: 'r.id IN (SELECT repo_id FROM collaborator WHERE user_id = ?)', values: [userId] }
  // What everybody sees of a private organization only its members see at all: tools that synchronise by this list would miss it.
  const ofPrivateOrgs = {
    sql: `(${isOpen} AND r.owner_id IN (SELECT t.org_id FROM team_member AS m JOIN team AS t ON t.id = m.team_id
      JOIN user AS o ON o.id = t.org_id WHERE m.user_id = ? AND o.visibility = 'private'))`,
    values: [userId],
  }
  return anyOf([shared, inTeams(userId, 'that administer'), inTeams(userId, 'that read'), ofPrivateOrgs])
}

/** What a team of an organization reaches. */
export function reachedByTeam(teamId: number): Condition {
  const all = 'SELECT org_id FROM team WHERE id = ? AND includes_all_repositories = 1'
  return { sql: `(r.owner_id IN (${all}) OR r.id IN (SELECT repo_id FROM team_repo WHERE team_id = ?))`, values: [teamId, teamId] }
}

/** Whether it is one of those. */
export function isToHide(db: Db, repo: Pick<RepoRow, 'fork_of' | 'is_private'>): boolean {
  if (repo.fork_of === null || repo.is_private === 1) return false
  if (db.lookUp<{ any: number }>('SELECT EXISTS (SELECT 1 FROM hiding_repository) AS "any"')?.any !== 1) return false
  const line =
    'line (id) AS (SELECT ? UNION SELECT b.fork_of FROM repository AS b JOIN line ON b.id = line.id WHERE b.is_private = 0 AND b.fork_of IS NOT NULL)'
  return db.find(`WITH RECURSIVE ${line} SELECT 1 FROM ${HIDING} AND h.id IN (SELECT id FROM line)`, repo.fork_of) !== undefined
}

/** Public, of an owner that everybody sees. */
export const isPublic: Condition = publicOnly
