import type { Oid } from '#git/objects/oid.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { listRefs, listRefsUnder, type RefRow } from './store.ts'
import { measureStretch } from './stretch-store.ts'

const PAGE = 1000

/**
 * Refs whose names begin with `prefix`, sorted by the bytes of their names, a page at a time: with a hundred thousand of them others have
 * their turn in between, and what changes meanwhile may be among them or not.
 */
export async function* refPages(db: Db, repoId: number, prefix: string): AsyncGenerator<RefRow[]> {
  let rows = listRefs(db, repoId, { prefix, limit: PAGE })
  for (let last = rows.at(-1); last; last = rows.at(-1)) {
    yield rows
    if (rows.length < PAGE) return
    if (isDue()) await breathe()
    rows = listRefsUnder(db, repoId, prefix, last.name, PAGE)
  }
}

/** Rows that are counted in one go. */
const STRETCH = 4000

/** One page of the refs whose names begin with `prefix`, a directory's, and how many there are: all are counted, with pauses. */
export async function refPage(
  db: Db,
  repoId: number,
  prefix: string,
  { offset, limit }: Pick<Page, 'offset' | 'limit'>,
): Promise<{ rows: RefRow[]; total: number }> {
  let [total, rows]: [number, RefRow[]] = [0, []]
  for (let after = prefix; ; ) {
    const { count, last } = measureStretch(db, repoId, { prefix, after, limit: STRETCH })
    const skipped = offset - total
    if (skipped >= 0 && skipped < count) rows = listRefsUnder(db, repoId, prefix, after, skipped + limit).slice(skipped)
    total += count
    if (count < STRETCH) return { rows, total }
    after = last
    if (isDue()) await breathe()
  }
}

/** What refs point to whose names begin with one of `prefixes`, each once. */
export async function tipsUnder(db: Db, repoId: number, ...prefixes: string[]): Promise<Oid[]> {
  const tips = new Set<Oid>()
  for (const prefix of prefixes) for await (const page of refPages(db, repoId, prefix)) for (const { oid } of page) tips.add(oid)
  return [...tips]
}
