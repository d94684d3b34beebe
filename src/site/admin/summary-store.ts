import type { Db } from '#kernel/db.ts'

/** How much there is on this server. */
export function countAll(db: Db): Record<'people' | 'organizations' | 'repositories' | 'issues', number> {
  const count = (sql: string) => db.find<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)?.n ?? 0
  return {
    people: count("user WHERE kind = 'person'"),
    organizations: count('organization'),
    repositories: count('repository'),
    issues: count('issue'),
  }
}
