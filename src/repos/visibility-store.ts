import { isSiteAdmin, units, type Viewer } from '../access/index.ts'
import type { Value } from '../kernel/db.ts'

/** A condition and the values of its question marks, in order. */
export interface Condition {
  sql: string
  values: Value[]
}

const open = { sql: 'TRUE', values: [] } satisfies Condition
const publicOnly = { sql: "(+r.is_private = 0 AND r.owner_id NOT IN (SELECT id FROM user WHERE visibility <> 'public'))", values: [] } satisfies Condition
/** What signed-in people see unless they are restricted. */
const openToMembers = { sql: "(+r.is_private = 0 AND r.owner_id NOT IN (SELECT id FROM user WHERE visibility = 'private'))", values: [] } satisfies Condition
/** With all units switched off only its administrators see a repository. */
const hasUnits = {
  sql: `(r.settings = '{}' OR coalesce(json_array_length(r.settings, '$.disabled_units'), 0) < ${units.length})`,
  values: [],
} satisfies Condition

/**
 * The rows of `repository AS r` that the viewer can see: what `access/permissions.ts` answers for one repository, as a
 * condition for lists. A test holds the two against each other. It needs no join, so that counting reads one index alone;
 * the plus signs keep SQLite from finding rows by it, which would cost the order that the lists are read in.
 */
export function visibleTo(viewer: Viewer): Condition {
  const { user, grant } = viewer
  if (user === undefined) return allOf([publicOnly, hasUnits])
  const limit = grant?.publicOnly ? publicOnly : open
  if (isSiteAdmin(viewer)) return limit
  const own = { sql: '+r.owner_id = ?', values: [user.id] }
  const administered = { sql: "+r.id IN (SELECT repo_id FROM collaboration WHERE user_id = ? AND level = 'admin')", values: [user.id] }
  const shared = allOf([hasUnits, { sql: '+r.id IN (SELECT repo_id FROM collaboration WHERE user_id = ?)', values: [user.id] }])
  const granted = anyOf([own, administered, shared])
  if (user.is_restricted === 1) return allOf([limit, granted])
  return allOf([limit, anyOf([allOf([openToMembers, hasUnits]), granted])])
}

/** Public, of an owner that everybody sees. */
export const isPublic: Condition = publicOnly

export function allOf(conditions: readonly Condition[]): Condition {
  return join(conditions, ' AND ')
}

export function anyOf(conditions: readonly Condition[]): Condition {
  return join(conditions, ' OR ')
}

function join(conditions: readonly Condition[], word: string): Condition {
  return { sql: `(${conditions.map((one) => one.sql).join(word)})`, values: conditions.flatMap((one) => one.values) }
}
