import { accessStore, type RepoAccess } from '#access/index.ts'
import type { BranchRule } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import type { Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { type LineComment, listSaidIn, mayResolve } from '#work/reviews/index.ts'
import { commentCards, type Remarks } from '#work/threads/index.ts'
import { mayReview } from './may-review.ts'
import type { Suggestions } from './suggestions.tsx'
import { TalkView } from './talk.tsx'
import { type Talk, talksIn } from './talks.ts'

/** As many comments on lines are shown. */
const MAX_REMARKS = 300

/** The conversations about single lines that reviews began; also about lines that are there no more. */
export function remarksOf(
  context: Context,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  { reviewIds, suggestions, rule }: { reviewIds: readonly number[]; suggestions: Suggestions; rule: BranchRule | undefined },
): Remarks {
  const found = listSaidIn(context.db, reviewIds, MAX_REMARKS + 1)
  const comments = found.slice(0, MAX_REMARKS)
  const show: Remarks['show'] = async ({ reactions, assets }) => {
    await suggestions.read(context, visit, repo, issue, comments)
    const cards = await commentCards(context, visit, repo, issue, comments, { dress: (comment, html) => suggestions.dress(comment, html), reactions, assets })
    const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
    const shown = {
      ...{ address, cards, at: 'conversation' as const, mayReply: mayReview(visit.viewer, repo, issue) },
      mayResolve: comments.length > 0 && repo.row.archived_at === null && mayResolve(context.db, visit.viewer, repo, issue, () => rule),
    }
    const nameOf = resolversOf(context, comments)
    const byReview = Map.groupBy(talksIn(comments), ({ first }) => first.review_id ?? 0)
    const view = (talk: Talk) => <TalkView talk={talk} {...shown} resolver={nameOf(talk.first.resolver_id)} />
    const last = found.length > MAX_REMARKS ? comments.at(-1)?.review_id : undefined
    const more = (
      <p>
        <a href={`${address}/remarks`}>Show all review comments</a>
      </p>
    )
    return new Map([...byReview].map(([review, talks]) => [review, [...talks.map(view), review === last && more]]))
  }
  return { comments, show }
}

/** Names of who has ended conversations. */
export function resolversOf({ db }: Pick<Context, 'db'>, comments: readonly LineComment[]): (id: number | null) => string | undefined {
  return namesOf(
    db,
    comments.map(({ resolver_id }) => resolver_id),
  )
}

/** Names of people by their ids. Of nobody nothing is asked. */
export function namesOf(db: Db, people: readonly (number | null)[]): (id: number | null) => string | undefined {
  const ids = [...new Set(people.flatMap((id) => id ?? []))]
  const names = new Map((ids.length === 0 ? [] : accessStore.listUsersById(db, ids)).map(({ id, name }) => [id, name]))
  return (id) => names.get(id ?? 0)
}
