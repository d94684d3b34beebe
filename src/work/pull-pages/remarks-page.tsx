import type { RepoAccess } from '#access/index.ts'
import { ruleAmong, rulesQuestion } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { pageOfSize } from '#kernel/page.ts'
import { answerPage, Empty, NextPages, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { findLineComment, type LineComment, listPlaced, listTalk, mayResolve } from '#work/reviews/index.ts'
import { commentCards } from '#work/threads/index.ts'
import { mayReview } from './may-review.ts'
import { resolversOf } from './review-remarks.tsx'
import { PullFrame } from './show-pull.tsx'
import { readTabs } from './tab-counts.ts'
import { TalkView } from './talk.tsx'
import { MOST_OF_TALK, placeOf, talksIn } from './talks.ts'

interface Asked {
  page?: string | undefined
  /** A comment of the conversation that is meant; without it, all of them. */
  of?: string | undefined
}

/** All that was said of lines, oldest first, page by page: beside the lines and in the conversation stands the beginning of very much. */
export async function showRemarks(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow, { page: number, of }: Asked): Promise<Response> {
  const { db } = context
  const viewerId = visit.viewer.user?.id ?? 0
  const page = pageOfSize(number, MOST_OF_TALK)
  const stretch = { limit: MOST_OF_TALK + 1, offset: page.offset }
  const one = of === undefined ? undefined : commentIn(context, issue, viewerId, of)
  const found = one ? listTalk(db, one, viewerId, stretch) : listPlaced(db, issue.id, viewerId, stretch)
  const comments = found.slice(0, MOST_OF_TALK)
  const nameOf = resolversOf(context, comments)
  const props = {
    address: visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`,
    at: 'conversation' as const,
    cards: await commentCards(context, visit, repo, issue, comments, { noteOf: ({ type }) => (type === 'code_draft' ? 'Pending' : undefined) }),
    mayReply: mayReview(visit.viewer, repo, issue),
  }
  const { pull, stack, counts } = await readTabs(context, repo, issue)
  const ruleOf = () => ruleAmong(db.askTogether({ rules: rulesQuestion(issue.repo_id) }).rules, pull.base_branch)
  const isResolvable = comments.length > 0 && repo.row.archived_at === null && mayResolve(db, visit.viewer, repo, issue, ruleOf)
  return answerPage(
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="conversation" counts={counts} stack={stack}>
      <h3>{one ? `Review comments on ${placeOf(one)}` : 'All review comments'}</h3>
      {comments.length === 0 && <Empty visit={visit} icon="comment" title="No review comments yet" />}
      {talksIn(comments).map((talk) => (
        <TalkView talk={talk} {...props} mayResolve={isResolvable} resolver={nameOf(talk.first.resolver_id)} />
      ))}
      <NextPages visit={visit} page={page} hasMore={found.length > MOST_OF_TALK} words={['Older', 'Newer']} />
    </PullFrame>,
  )
}

/** @throws NotFound for what is no comment on a line of the pull request */
function commentIn({ db }: Pick<Context, 'db'>, issue: IssueRow, viewerId: number, text: string): LineComment {
  const comment = /^\d{1,15}$/.test(text) ? findLineComment(db, Number(text)) : undefined
  const isSeen = comment?.type === 'code' || (comment?.type === 'code_draft' && comment.poster_id === viewerId)
  if (comment?.issue_id !== issue.id || !isSeen) throw new NotFound()
  return comment
}
