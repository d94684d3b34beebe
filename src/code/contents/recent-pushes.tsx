import { atLeast, type RepoAccess, readableBy } from '#access/index.ts'
import type { Context } from '#context.ts'
import { betweenFor, pullBaseOf } from '#repositories/forks/index.ts'
import { Icon, Time, type Visit } from '#web/index.ts'
import { RecentPushes } from './hooks.ts'

const RECENT_SECONDS = 2 * 3600
const MOST_OFFERED = 3

/** Offers to ask for what the viewer has just pushed to be merged; undefined where there is nothing of that. */
export function renderRecentPushes(context: Pick<Context, 'db' | 'clock' | 'services'>, visit: Visit, repo: RepoAccess) {
  const { row, permission } = repo
  const { user } = visit.viewer
  if (!user || row.archived_at !== null || row.is_mirror === 1 || !atLeast(permission.of('pulls'), 'read')) return undefined
  const since = context.clock.seconds() - RECENT_SECONDS
  const readable = readableBy(visit.viewer, 'code')
  const pushes = context.services.get(RecentPushes).list(context.db, { repoId: row.id, userId: user.id, since, readable, limit: MOST_OFFERED })
  if (pushes.length === 0) return undefined
  const base = pullBaseOf(context.db, visit.viewer, repo)
  return (
    <section class="recent" aria-label="Recent pushes">
      {pushes.map(({ owner: by, repo: name, repo_id, branch, at }) => {
        const isHere = repo_id === row.id
        const head = isHere ? branch : `${by}/${name}:${branch}`
        const into = isHere ? base : repo
        const between = isHere ? betweenFor(base, repo, branch) : `${row.default_branch}...${head}`
        return (
          <p>
            <span>
              <Icon visit={visit} name="git-branch" /> You pushed to <a href={visit.to`/${by}/${name}/src/branch/${branch}`}>{head}</a> <Time at={at} />
            </span>
            <a class="button primary" href={visit.to`/${into.owner.name}/${into.row.name}/compare/${between}`}>
              Compare and create pull request
            </a>
          </p>
        )
      })}
    </section>
  )
}
