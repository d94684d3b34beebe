import { HEADS } from '#git/refs/names.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { listRefsNamed, type RefRow, scanNames } from './store.ts'
import { type BranchPlace, listBranchesAfter } from './stretch-store.ts'

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

/** One page of the branches that have a text in their names, in the order of `listBranches`, and how many there are: all are looked at, with pauses. */
export async function searchBranches(
  db: Db,
  repoId: number,
  text: string,
  { offset, limit }: Pick<Page, 'offset' | 'limit'>,
): Promise<{ rows: RefRow[]; total: number }> {
  const wanted = text.toLowerCase()
  const names: string[] = []
  let total = 0
  for (let last: BranchPlace | undefined; ; ) {
    const stretch = listBranchesAfter(db, repoId, last, STRETCH)
    for (const { name } of stretch) if (name.slice(HEADS.length).toLowerCase().includes(wanted) && total++ >= offset && names.length < limit) names.push(name)
    if (stretch.length < STRETCH) break
    last = stretch.at(-1)
    if (isDue()) await breathe()
  }
  const rows = new Map(listRefsNamed(db, repoId, names).map((row) => [row.name, row]))
  return { rows: names.flatMap((name) => rows.get(name) ?? []), total }
}

/** As LIKE takes it literally. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
