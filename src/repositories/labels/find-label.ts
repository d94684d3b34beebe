import type { Db } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { findLabel, findLabelByName, type Holder, type LabelRow } from './store.ts'

/** The label that a path names: digits are its id, anything else is its name. @throws NotFound */
export function getLabel(db: Db, holder: Holder, idOrName: string): LabelRow {
  const found = /^\d+$/.test(idOrName) ? findLabel(db, holder, rowIdIn(idOrName)) : findLabelByName(db, holder, idOrName)
  if (!found) throw new NotFound()
  return found
}
