import type { Context } from '#context.ts'
import type { Database } from '#kernel/db.ts'
import { type Reference, ReferringRows } from '#kernel/referring-rows.ts'

/** Rows done in one transaction: a few milliseconds. */
const SLICE = 25
/** So many go with the repository itself: most have no more. */
const AT_ONCE = 100

class Referring {
  #rows: ReferringRows | undefined

  /** Read from the schema when it is needed first. */
  of(db: Database): ReferringRows {
    this.#rows ??= new ReferringRows(db)
    return this.#rows
  }
}

/** Comments go with their issues; looked for by their repository, all comments of the store would be gone through. */
const isWanted = ({ table }: Reference) => table !== 'comment'

/** Takes away the first rows that belonged to a repository whose own row is gone. */
export function clearFirst(context: Pick<Context, 'db' | 'services'>, repoId: number): void {
  clearSome(context, repoId, AT_ONCE)
}

/** @returns false when there are no more */
function clearSome({ db, services }: Pick<Context, 'db' | 'services'>, repoId: number, most: number): boolean {
  const referring = services.get(Referring).of(db)
  return db.provisional((tx) => referring.clear(tx, 'repository', repoId, most, isWanted)) === 0
}

/** Takes away all that are left, a few at a time. @returns false when the server stops before all are gone */
export async function clearRows(context: Pick<Context, 'db' | 'jobs' | 'services'>, repoId: number): Promise<boolean> {
  while (clearSome(context, repoId, SLICE)) {
    if (context.jobs.isStopping) return false
    await context.db.rest()
  }
  return true
}
