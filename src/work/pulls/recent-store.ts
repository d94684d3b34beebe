import type { RecentPush, RecentPushQuery } from '#code/contents/hooks.ts'
import type { Db } from '#kernel/db.ts'

/** So many of the server's last moves of refs are looked at. */
const MOST_LOOKED_AT = 1000

/**
 * Branches that an account pushed to, in a repository or in readable forks of it, the latest first. Those are left out that an open
 * pull request is from, or one that was closed with the commit they point to still, and those that have nothing new.
 */
export function listRecentPushes(db: Db, { repoId, userId, since, readable, limit }: RecentPushQuery): RecentPush[] {
  return db.all<RecentPush>(
    `SELECT u.name AS owner, r.name AS repo, r.id AS repo_id, substr(moved.name, 12) AS branch, moved.at
     FROM (SELECT repo_id, name, max(created_at) AS at
           FROM (SELECT repo_id, name, actor_id, created_at FROM reflog INDEXED BY reflog_age WHERE created_at > ?3 ORDER BY created_at DESC LIMIT ${MOST_LOOKED_AT})
           WHERE actor_id = ?2 AND name >= 'refs/heads/' AND name < 'refs/heads0' GROUP BY repo_id, name) AS moved
     -- In this order: one may have very many forks, and a repository very many branches.
     CROSS JOIN repository AS r ON r.id = moved.repo_id AND (r.id = ?1 OR r.fork_of = ?1)
     JOIN user AS u ON u.id = r.owner_id
     JOIN ref ON ref.repo_id = r.id AND ref.name = moved.name AND ref.batch IS NULL
     WHERE NOT EXISTS (SELECT 1 FROM repository AS home JOIN ref AS base ON base.repo_id = home.id AND base.name = 'refs/heads/' || home.default_branch
                       WHERE home.id = ?1 AND (base.oid = ref.oid OR r.id = ?1 AND base.name = ref.name))
       AND NOT EXISTS (SELECT 1 FROM pull JOIN issue ON issue.id = issue_id
                       WHERE head_repo_id = r.id AND head_branch = substr(moved.name, 12) AND (is_closed = 0 OR head_oid = ref.oid))
       AND ${readable.sql}
     ORDER BY moved.at DESC LIMIT ?`,
    repoId,
    userId,
    since,
    ...readable.values,
    limit,
  )
}
