import { accessStore, atLeast, disabledUnits, knownFellows, lineOf, type RepoAccess, type UserRow, type Viewer, visibleAccounts } from '#access/index.ts'
import { allOf, anyOf, type Condition, condition } from '#kernel/database/condition.ts'
import { type Question, question } from '#kernel/database/questions.ts'
import type { Db, LongDb } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** What somebody can be asked to do in a repository: issues are given to who may write there, reviews asked of who was given a part in it. */
export type Work = 'issues' | 'reviews'

/** The active people who can be asked to, as far as the viewer may know of them and of their part: their ids, by name. */
export async function listCandidateIds(db: LongDb, viewer: Viewer, repo: RepoAccess, work: Work): Promise<number[]> {
  const { sql, values } = candidates('id', db, viewer, repo, work)
  const { found } = await db.askAside({ found: question<{ id: number }>(sql, ...values) }, lineOf(viewer))
  return found.map(({ id }) => id)
}

/** Whether the viewer may know that an account is one of them. */
export function isKnownCandidate(db: Db, viewer: Viewer, repo: RepoAccess, work: Work, userId: number): boolean {
  const { sql, values } = allOf([{ sql: 'user.id = ?', values: [userId] }, able(repo, work), knownIn(db, viewer, repo, work)])
  return db.find(`SELECT 1 FROM user WHERE ${sql}`, ...values) !== undefined
}

/** A page of those of them with a text in their names, and how many there are. */
export async function findCandidates(
  db: LongDb,
  viewer: Viewer,
  repo: RepoAccess,
  { work, text }: { work: Work; text: string },
  page: Page,
): Promise<{ rows: UserRow[]; total: number }> {
  const { sql, values } = allOf([able(repo, work), knownIn(db, viewer, repo, work), named(text)])
  const questions = {
    rows: question<UserRow>(`SELECT * FROM user WHERE ${sql} ORDER BY lower_name LIMIT ? OFFSET ?`, ...values, page.limit, page.offset),
    counted: question<{ n: number }>(`SELECT count(*) AS n FROM user WHERE ${sql}`, ...values),
  }
  const { rows, counted } = await db.askAside(questions, lineOf(viewer))
  return { rows, total: counted[0]?.n ?? 0 }
}

/** The same, the names alone of the first ones. @param text which their names hold */
export function candidateNamesQuestion(db: Db, viewer: Viewer, repo: RepoAccess, work: Work, limit: number, text = ''): Question<Pick<UserRow, 'id' | 'name'>> {
  const { sql, values } = candidates('id, name', db, viewer, repo, work, named(text))
  return { sql: `${sql} LIMIT ?`, values: [...values, limit] }
}

function candidates(columns: string, db: Db, viewer: Viewer, repo: RepoAccess, work: Work, which = condition('TRUE')): Condition {
  const { sql, values } = allOf([able(repo, work), knownIn(db, viewer, repo, work), which])
  return { sql: `SELECT ${columns} FROM user WHERE ${sql} ORDER BY lower_name`, values }
}

function named(text: string): Condition {
  return condition('instr(lower_name, ?) > 0', text.toLowerCase())
}

/** Whether the person is one of them. */
export function isCandidate(db: Db, userId: number, repo: RepoAccess, work: Work): boolean {
  const { sql, values } = candidacyQuestion(userId, repo, work)
  return db.find(sql, ...values) !== undefined
}

/** The same, told by whether anything is found. */
export function candidacyQuestion(userId: number, repo: RepoAccess, work: Work): Question<object> {
  const { sql, values } = able(repo, work)
  return { sql: `SELECT 1 AS is_candidate FROM user WHERE ${sql} AND user.id = ?`, values: [...values, userId] }
}

/** Each has a part that they were given by name: that everybody may read does not count. The plus sign keeps SQLite from going through all people. */
function able(repo: RepoAccess, work: Work): Condition {
  return allOf([{ sql: "+user.kind = 'person' AND user.is_active = 1", values: [] }, anyOf([owns(repo), collaborates(repo, work), isInTeam(repo, work)])])
}

/**
 * Who administers the repository knows all who have a part in it, and members of its organization know each other; others know its
 * owner, and of those whom they may see the collaborators and the members who let everybody know.
 */
function knownIn(db: Db, viewer: Viewer, repo: RepoAccess, work: Work): Condition {
  if (atLeast(repo.permission.level, 'admin')) return knownFellows(viewer)
  const visible = visibleAccounts(viewer)
  const isMember = { sql: 'user.id IN (SELECT user_id FROM org_member WHERE org_id = ?)', values: [repo.owner.id] }
  if (viewer.user && accessStore.findOrgRole(db, repo.owner.id, viewer.user.id)) return anyOf([visible, allOf([isMember, knownFellows(viewer)])])
  const isShown = { sql: 'user.id IN (SELECT user_id FROM org_member WHERE org_id = ? AND is_public = 1)', values: [repo.owner.id] }
  return anyOf([owns(repo), allOf([visible, anyOf([collaborates(repo, work), isShown])])])
}

function owns({ owner }: RepoAccess): Condition {
  return { sql: 'user.id = ?', values: [owner.id] }
}

function collaborates({ row }: RepoAccess, work: Work): Condition {
  const levels = work === 'issues' ? "('write', 'admin')" : "('read', 'write', 'admin')"
  return { sql: `user.id IN (SELECT user_id FROM collaborator WHERE repo_id = ? AND level IN ${levels})`, values: [row.id] }
}

function isInTeam({ row, owner }: RepoAccess, work: Work): Condition {
  const unit = `${work === 'issues' ? "level = 'write'" : "unit = 'pulls'"} AND unit NOT IN (SELECT value FROM json_each(?))`
  const teams = `SELECT user_id FROM team_member JOIN team ON team.id = team_member.team_id WHERE team_member.org_id = ?
    AND (includes_all_repositories = 1 OR EXISTS (SELECT 1 FROM team_repo WHERE team_repo.team_id = team.id AND repo_id = ?))
    AND (permission IN ('admin', 'owner') OR EXISTS (SELECT 1 FROM team_unit WHERE team_unit.team_id = team.id AND ${unit}))`
  return { sql: `user.id IN (${teams})`, values: [owner.id, row.id, JSON.stringify([...disabledUnits(row)])] }
}
