import type { Oid } from '#git/objects/oid.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Db } from '#kernel/db.ts'
import { listRefs, listRefsUnder, type RefRow } from './store.ts'

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

/** What refs point to whose names begin with one of `prefixes`, each once. */
export async function tipsUnder(db: Db, repoId: number, ...prefixes: string[]): Promise<Oid[]> {
  const tips = new Set<Oid>()
  for (const prefix of prefixes) for await (const page of refPages(db, repoId, prefix)) for (const { oid } of page) tips.add(oid)
  return [...tips]
}
