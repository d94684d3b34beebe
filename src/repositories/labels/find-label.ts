import type { Db } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { findLabel, findLabelByName, type LabelOwner, type LabelRow } from './store.ts'

/** The label that a path names: digits are its id, anything else is its name. @throws NotFound */
export function getLabel(db: Db, owner: LabelOwner, idOrName: string): LabelRow {
  const found = /^\d+$/.test(idOrName) ? findLabel(db, owner, rowIdIn(idOrName)) : findLabelByName(db, owner, idOrName)
  if (!found) throw new NotFound()
  return found
}
