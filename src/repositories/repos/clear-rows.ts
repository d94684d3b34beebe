import type { Context } from '#context.ts'
import { type Reference, ReferringRows } from '#kernel/referring-rows.ts'

/** So many go with the repository itself: most have no more. */
const AT_ONCE = 100

/** Comments go with their issues; looked for by their repository, all comments of the store would be gone through. */
const isWanted = ({ table }: Reference) => table !== 'comment'

/** Takes away the first rows that belonged to a repository whose own row is gone. */
export function clearFirst({ db, services }: Pick<Context, 'db' | 'services'>, repoId: number): void {
  const referring = services.get(ReferringRows)
  db.provisional((tx) => void referring.clear(tx, 'repository', repoId, AT_ONCE, isWanted))
}

/** Takes away all that are left, a few at a time. @returns false when the server stops before all are gone */
export function clearRows({ jobs, services }: Pick<Context, 'jobs' | 'services'>, repoId: number): Promise<boolean> {
  return services.get(ReferringRows).clearAll(jobs, 'repository', repoId, isWanted)
}
