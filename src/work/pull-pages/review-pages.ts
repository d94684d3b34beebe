import { Value } from '@sinclair/typebox/value'
import { Elysia, type Static, t } from 'elysia'
import { gate, MadeLately, requireUser } from '#access/index.ts'
import { ChangesQuery } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { pathOf } from '#kernel/http.ts'
import { mendable, seeOther, Visit } from '#web/index.ts'
import { type Asked, getPull, IssueParams, type IssueRow, Text } from '#work/issues/index.ts'
import { createReview, getReview, keepForReview, replyTo, requestReviews, setDismissed, setResolved, withdrawRequests } from '#work/reviews/index.ts'
import { lineFeeds } from '#work/threads/index.ts'
import { FileFilterQuery } from './file-filter.tsx'
import { showPullFiles } from './files.tsx'
import { lineId } from './line-form.tsx'
import { showPull } from './show-pull.tsx'

/** The query of the files page that the form was on. */
const Back = t.Optional(t.String({ maxLength: 8192 }))
const LineForm = t.Object({
  path: t.String({ maxLength: 4096 }),
  line: t.Integer(),
  body: Text,
  commit_id: t.String({ maxLength: 64 }),
  action: t.Union([t.Literal('review'), t.Literal('now')]),
  back: Back,
})
const ReviewForm = t.Object({
  event: t.Union([t.Literal('APPROVED'), t.Literal('REQUEST_CHANGES'), t.Literal('COMMENT')]),
  body: t.Optional(Text),
  commit_id: t.String({ maxLength: 64 }),
})
const ShownQuery = t.Object({ ...FileFilterQuery.properties, ...t.Pick(ChangesQuery, ['whitespace', 'style', 'skip']).properties })
type ShownQuery = Static<typeof ShownQuery>
const Name = t.Optional(t.String({ maxLength: 255 }))
const ReviewerForm = t.Object({ reviewer: Name, team: Name, action: t.Union([t.Literal('ask'), t.Literal('withdraw')]) })
const DismissForm = t.Object({ action: t.Union([t.Literal('dismiss'), t.Literal('undismiss')]), message: t.Optional(Text) })
const From = t.Optional(t.Union([t.Literal('conversation'), t.Literal('files')]))
const ReplyForm = t.Object({ body: Text, from: From, back: Back })
const ResolveForm = t.Object({ action: t.Union([t.Literal('resolve'), t.Literal('unresolve')]), from: From, back: Back })
const CommentParams = t.Object({ ...IssueParams.properties, id: t.String() })

/** What is said of a pull request's files, line by line and as a whole. */
export function reviewing(context: Context) {
  const visitOf = ({ viewer, request }: Asked) => new Visit(context, viewer, request)
  const back = (asked: Asked, place: string) => {
    const { repo, params } = asked
    return seeOther(visitOf(asked).to`/${repo.owner.name}/${repo.row.name}/pulls/${params.index}` + place)
  }
  /** Back on the page, which says what went wrong, if anything did. */
  const onPanel = async (asked: Asked, issue: IssueRow, work: () => unknown): Promise<Response> => {
    try {
      work()
      return back(asked, '')
    } catch (error) {
      const problem = mendable(error)
      const page = await showPull(context, visitOf(asked), asked.repo, issue, { reviewing: problem.message })
      return new Response(page.body, { status: problem.status, headers: page.headers })
    }
  }
  const once = <T>({ viewer, request, body }: Asked & { body: unknown }, { id }: IssueRow, make: () => T): T =>
    context.services.get(MadeLately).once(viewer, [pathOf(request.url), id, body], make)
  return new Elysia({ name: 'pulls.reviewing' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/pulls/:index/line',
      async (asked) => {
        requireUser(asked.viewer)
        const { path, line, commit_id, action } = asked.body
        const body = lineFeeds(asked.body.body)
        const place = line > 0 ? { new_position: line } : { old_position: -line }
        const issue = getPull(context, asked)
        try {
          if (body.trim() === '') throw new Problem(422, 'The comment is empty. Enter some text first.')
          const said = { commit_id, comments: [{ path, body, ...place }] }
          await once(asked, issue, () =>
            action === 'now'
              ? createReview(context, asked.viewer, asked.repo, issue, { event: 'COMMENT', ...said })
              : keepForReview(context, asked.viewer, asked.repo, issue, said),
          )
          return back(asked, `${filesAs(asked.body)}#${lineId({ path, line })}`)
        } catch (error) {
          const problem = mendable(error)
          return showPullFiles(context, visitOf(asked), asked.repo, issue, {
            query: queryIn(asked.body),
            at: { path, line, body, error: problem.message, status: problem.status },
          })
        }
      },
      { repo: 'pulls:read', params: IssueParams, body: LineForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/reviews',
      async (asked) => {
        requireUser(asked.viewer)
        const issue = getPull(context, asked)
        const { event, body = '', commit_id } = asked.body
        try {
          await once(asked, issue, () => createReview(context, asked.viewer, asked.repo, issue, { event, body: lineFeeds(body), commit_id }))
          return back(asked, '')
        } catch (error) {
          const problem = mendable(error)
          return showPullFiles(context, visitOf(asked), asked.repo, issue, { error: problem.message })
        }
      },
      { repo: 'pulls:read', params: IssueParams, body: ReviewForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/comments/:id/replies',
      (asked) => {
        const issue = getPull(context, asked)
        const comment = once(asked, issue, () => replyTo(context, asked.viewer, issue, asked.params.id, requireWords(lineFeeds(asked.body.body))))
        return back(asked, `${pageOf(asked.body)}#issuecomment-${comment.id}`)
      },
      { repo: 'pulls:read', params: CommentParams, body: ReplyForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/comments/:id/resolve',
      (asked) => {
        setResolved(context, asked.viewer, asked.repo, asked.params.id, asked.body.action === 'resolve')
        return back(asked, `${pageOf(asked.body)}#issuecomment-${asked.params.id}`)
      },
      { repo: 'pulls:read', params: CommentParams, body: ResolveForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/reviewers',
      (asked) => {
        requireUser(asked.viewer)
        const issue = getPull(context, asked)
        const { reviewer, team, action } = asked.body
        const names = { reviewers: reviewer === undefined ? [] : [reviewer], team_reviewers: team === undefined ? [] : [team] }
        return onPanel(asked, issue, () => {
          if (action === 'ask') requestReviews(context, asked.viewer, issue, names)
          else withdrawRequests(context, asked.viewer, issue, names)
        })
      },
      { repo: 'pulls:read', params: IssueParams, body: ReviewerForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/pulls/:index/reviews/:id/dismiss',
      (asked) => {
        requireUser(asked.viewer)
        const { viewer, repo, body } = asked
        const reviewed = getReview(context, asked)
        const message = lineFeeds(body.message ?? '')
        return onPanel(asked, reviewed.issue, () => setDismissed(context, viewer, repo, reviewed, body.action === 'dismiss', { message }))
      },
      { repo: 'pulls:read', params: CommentParams, body: DismissForm, detail: { hide: true } },
    )
}

/** The part of the pull request that a form stood on. */
function pageOf({ from, back }: { from?: 'conversation' | 'files'; back?: string }): string {
  return from === 'conversation' ? '' : filesAs({ back })
}

/** Returns the address of the files page with its former query. */
function filesAs(form: { back?: string | undefined }): string {
  const query = new URLSearchParams(queryIn(form))
  return query.size === 0 ? '/files' : `/files?${query}`
}

function queryIn({ back = '' }: { back?: string | undefined }): ShownQuery {
  const query = Object.fromEntries(new URLSearchParams(back))
  return Value.Check(ShownQuery, query) ? (Value.Clean(ShownQuery, query) as ShownQuery) : {}
}

function requireWords(text: string): string {
  if (text.trim() === '') throw new Problem(422, 'The comment is empty. Enter some text first.')
  return text
}
