import { isSiteAdmin, lineOf, type UserRow, type Viewer } from '#access/index.ts'
import { allOf, type Condition } from '#kernel/database/condition.ts'
import { question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** An organization: its row in `user`, with what it has besides. */
export interface OrgRow extends UserRow {
  kind: 'organization'
  repo_admin_change_team_access: number
}

/** The organizations of one page, and how many there are on all pages. */
interface Orgs {
  rows: OrgRow[]
  total: number
}

const orgs = 'user AS o JOIN organization ON organization.id = o.id'
const columns = 'o.*, organization.repo_admin_change_team_access'

export function findOrgById(db: Db, id: number): OrgRow | undefined {
  return db.find<OrgRow>(`SELECT ${columns} FROM ${orgs} WHERE o.id = ?`, id)
}

/** Organizations by their ids. */
export function listOrgsById(db: Db, ids: readonly number[]): OrgRow[] {
  return db.all<OrgRow>(`SELECT ${columns} FROM ${orgs} WHERE o.id IN (SELECT value FROM json_each(?))`, JSON.stringify(ids))
}

/** @param id of the organization's row in `user` */
export function insertOrg(tx: Tx, id: number, repoAdminChangeTeamAccess: boolean): void {
  tx.insert('organization', { id, repo_admin_change_team_access: Number(repoAdminChangeTeamAccess) })
}

export function setTeamAccessChange(tx: Tx, id: number, isAllowed: boolean): void {
  tx.update('organization', id, { repo_admin_change_team_access: Number(isAllowed) })
}

/** The team that makes owners, with its first member. */
export function insertOwnersTeam(tx: Tx, orgId: number, ownerId: number): void {
  const all = { includes_all_repositories: 1, can_create_org_repo: 1 }
  const id = tx.insert('team', { org_id: orgId, name: 'Owners', lower_name: 'owners', permission: 'owner', ...all })
  tx.run('INSERT INTO team_membership (team_id, org_id, user_id) VALUES (?, ?, ?)', id, orgId, ownerId)
}

/** One of the organizations that nobody else owns. */
export function findSolelyOwnedOrg(db: Db, userId: number): UserRow | undefined {
  return db.find<UserRow>(
    `SELECT user.* FROM org_member AS mine JOIN user ON user.id = mine.org_id
     WHERE mine.user_id = ?1 AND mine.is_owner = 1
       AND NOT EXISTS (SELECT 1 FROM org_member AS other WHERE other.org_id = mine.org_id AND other.is_owner = 1 AND other.user_id <> ?1)
     LIMIT 1`,
    userId,
  )
}

/** Organizations that the viewer may see, by name; `memberId` narrows them to those of a person whose membership the viewer may know of. */
export function listOrgs(db: LongDb, viewer: Viewer, page: Page, memberId?: number): Promise<Orgs> {
  return findOrgs(db, viewer, allOf([seenBy(viewer), ...(memberId === undefined ? [] : [knownOrgsOf(viewer, memberId)])]), page)
}

/** Those of them that have a keyword in their name or full name; all for an empty one. */
export function searchOrgs(db: LongDb, viewer: Viewer, keyword: string, page: Page): Promise<Orgs> {
  const word = keyword.toLowerCase()
  const named = { sql: '(instr(o.lower_name, ?) > 0 OR instr(lower(o.full_name), ?) > 0)', values: [word, word] }
  return findOrgs(db, viewer, allOf([seenBy(viewer), ...(word === '' ? [] : [named])]), page)
}

async function findOrgs(db: LongDb, viewer: Viewer, { sql: where, values }: Condition, page: Page): Promise<Orgs> {
  const counted = question<{ n: number }>(`SELECT count(*) AS n FROM ${orgs} WHERE ${where}`, ...values)
  // Ids come first: whole rows would be costly to pass over.
  const ids = `SELECT o.id FROM ${orgs} WHERE ${where} ORDER BY o.lower_name LIMIT ? OFFSET ?`
  const rows = question<OrgRow>(`SELECT ${columns} FROM ${orgs} WHERE o.id IN (${ids}) ORDER BY o.lower_name`, ...values, page.limit, page.offset)
  const found = await db.askAside({ counted, rows }, lineOf(viewer))
  return { rows: found.rows, total: found.counted[0]?.n ?? 0 }
}

const mine = 'SELECT org_id FROM org_member WHERE user_id = ?'

/** What `canSeeOrg` answers for one organization, for a list of `o`. */
function seenBy(viewer: Viewer): Condition {
  if (viewer.user === undefined || viewer.grant?.publicOnly) return { sql: "o.visibility = 'public'", values: [] }
  if (isSiteAdmin(viewer)) return { sql: 'TRUE', values: [] }
  const open = viewer.user.is_restricted === 1 ? "('public')" : "('public', 'limited')"
  return { sql: `(o.visibility IN ${open} OR o.id IN (${mine}))`, values: [viewer.user.id] }
}

/** Of a person's memberships others know the public ones, and fellow members all in their organization. */
function knownOrgsOf(viewer: Viewer, memberId: number): Condition {
  const theirs = { sql: `o.id IN (${mine})`, values: [memberId] }
  if (isSiteAdmin(viewer) || viewer.user?.id === memberId) return theirs
  const open = `o.id IN (${mine} AND is_public = 1)`
  return viewer.user === undefined
    ? { sql: open, values: [memberId] }
    : { sql: `(${open} OR (${theirs.sql} AND o.id IN (${mine})))`, values: [memberId, memberId, viewer.user.id] }
}
