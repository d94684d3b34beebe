import { lineOf, type RepoRow, type UserRow, type Viewer, visibleAccounts, visibleTo } from '#access/index.ts'
import type { Condition } from '#kernel/database/condition.ts'
import { nothingAsked, type Question, question } from '#kernel/database/questions.ts'
import type { Db, LongDb } from '#kernel/db.ts'

/**
 * What a jump box finds while somebody types. Each question walks an index from where the words begin, and looks at no more rows than
 * this, however many begin so and are hidden: what is not found here, a search for it finds.
 */
const MOST_LOOKED_AT = 200

export interface FoundRepo extends RepoRow {
  owner_name: string
}

/** Whose name begins so, of that owner where one is named, the best known first. Words are in lower case. */
export function reposFrom(viewer: Viewer, name: string, owner: string | undefined, limit: number): Question<FoundRepo> {
  const held = owner === undefined ? '' : 'owner_id = (SELECT id FROM user WHERE lower_name = ?) AND'
  const some = `SELECT * FROM repository WHERE ${held} lower_name >= ? AND lower_name < ? ORDER BY lower_name LIMIT ${MOST_LOOKED_AT}`
  const values = [...(owner === undefined ? [] : [owner]), name, behind(name)]
  return among(visibleTo(viewer), { sql: some, values }, { order: 'r.lower_name = ? DESC, r.star_count DESC, r.lower_name', values: [name] }, limit)
}

/** Those that are the person's or their organizations', and have a word anywhere in their name; last changed first. */
export function ownRepos(viewer: Viewer, personId: number, word: string, limit: number): Question<FoundRepo> {
  const held = 'owner_id = ? OR owner_id IN (SELECT org_id FROM org_member WHERE user_id = ?)'
  const some = { sql: `SELECT * FROM repository WHERE ${held} LIMIT ${MOST_LOOKED_AT}`, values: [personId, personId] }
  const { sql, values } = visibleTo(viewer)
  const named = { sql: `instr(r.lower_name, ?) > 0 AND ${sql}`, values: [word, ...values] }
  return among(named, some, { order: 'r.updated_at DESC, r.id DESC', values: [] }, limit)
}

/** Of whatever is asked for, aside: which of them the viewer sees takes the longer the more they have a part in. */
export async function findRepos(db: LongDb, viewer: Viewer, sought: { own?: Question<FoundRepo>; others?: Question<FoundRepo> }): Promise<FoundRepo[]> {
  const { own = nothingAsked, others = nothingAsked } = sought
  const found = await db.askAside<{ own: FoundRepo; others: FoundRepo }>({ own, others }, lineOf(viewer))
  return [...found.own, ...found.others]
}

function among(those: Condition, some: Condition, { order, values }: { order: string; values: string[] }, limit: number): Question<FoundRepo> {
  return question(
    `SELECT r.*, o.name AS owner_name FROM (${some.sql}) AS r JOIN user AS o ON o.id = r.owner_id WHERE ${those.sql} ORDER BY ${order} LIMIT ?`,
    ...some.values,
    ...those.values,
    ...values,
    limit,
  )
}

/** People and organizations whose name begins so. */
export function findAccountsFrom(db: Db, viewer: Viewer, name: string, limit: number): UserRow[] {
  const { sql, values } = visibleAccounts(viewer)
  const some = `SELECT * FROM user WHERE lower_name >= ? AND lower_name < ? ORDER BY lower_name LIMIT ${MOST_LOOKED_AT}`
  return db.all<UserRow>(`SELECT * FROM (${some}) AS user WHERE ${sql} ORDER BY lower_name LIMIT ?`, name, behind(name), ...values, limit)
}

/** The first text behind all that begin so. */
function behind(prefix: string): string {
  return `${prefix}\u{10ffff}`
}
