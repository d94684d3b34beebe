import { breathe, isDue } from '#kernel/breathe.ts'
import type { Db } from '#kernel/db.ts'
import { listRefsNamed, type RefRow, scanNames } from './store.ts'

/** Names that are looked at before others have their turn. */
const STRETCH = 2000

export interface RefSearch {
  /** `refs/heads/` or the like. */
  prefix: string
  /** What a name has to have in it behind the prefix, whatever the case of its letters. */
  text: string
  limit: number
}

/** The first refs by name that have a text in their names: of a hundred thousand, all are looked at, with pauses. */
export async function searchRefs(db: Db, repoId: number, { prefix, text, limit }: RefSearch): Promise<RefRow[]> {
  const pattern = `${literal(prefix)}%${literal(text)}%`
  const names: string[] = []
  for (let after: string | undefined = prefix; after !== undefined && names.length < limit; ) {
    const found = scanNames(db, repoId, { prefix, after, pattern, length: STRETCH })
    names.push(...found.names)
    after = found.last
    if (isDue()) await breathe()
  }
  return listRefsNamed(db, repoId, names.slice(0, limit))
}

/** As LIKE takes it literally. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
