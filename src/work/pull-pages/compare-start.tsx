import { type RepoAccess, readableBy } from '#access/index.ts'
import type { RecentPush } from '#code/contents/hooks.ts'
import type { Context } from '#context.ts'
import { Icon, Time, type Visit } from '#web/index.ts'
import { listRecentPushes } from '#work/pulls/index.ts'
import type { ComparedEnds } from './compare-ends.tsx'

/** Pushes of the viewer are offered for as long, and so many; and so many branches besides. */
const PUSHED_SECONDS = 30 * 86_400
const MOST_PUSHED = 10
const MOST_BRANCHES = 50

/** Branches that the viewer has pushed, here and in forks, and that nothing asks for yet. */
export function pushedBefore(context: Pick<Context, 'db' | 'clock'>, { viewer }: Visit, { row }: RepoAccess): RecentPush[] {
  if (!viewer.user) return []
  const since = context.clock.seconds() - PUSHED_SECONDS
  return listRecentPushes(context.db, { repoId: row.id, userId: viewer.user.id, since, readable: readableBy(viewer, 'code'), limit: MOST_PUSHED })
}

interface Props {
  visit: Visit
  repo: RepoAccess
  ends: ComparedEnds
  pushed: readonly RecentPush[]
}

/** Before anything is compared: the branches there are, those that the viewer pushed first. */
export function CompareStart({ visit, repo: { owner, row }, ends: { base, bases }, pushed }: Props) {
  const others = bases.filter((name) => name !== base && !pushed.some(({ repo_id, branch }) => repo_id === row.id && branch === name))
  const mine = pushed.map(({ owner: by, repo, repo_id, branch, at }) => ({ head: repo_id === row.id ? branch : `${by}/${repo}:${branch}`, at }))
  const listed = [...mine, ...others.slice(0, MOST_BRANCHES).map((head) => ({ head, at: undefined }))]
  if (listed.length === 0) {
    return <p class="remark">{`No branches to compare with ${base} yet. Push another branch, or edit a file and commit the change to a new branch.`}</p>
  }
  return (
    <section aria-label="Branches">
      <p>{`Choose a branch to compare with ${base}.`}</p>
      <ul class="list">
        {listed.map(({ head, at }) => (
          <li>
            <Icon visit={visit} name="git-branch" /> <a href={visit.to`/${owner.name}/${row.name}/compare/${`${base}...${head}`}`}>{head}</a>
            {at !== undefined && (
              <span class="faint">
                {' pushed by you '}
                <Time at={at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
