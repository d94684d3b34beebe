import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams, refuseArchived, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Conflict, NotFound } from '#kernel/errors.ts'
import { readsBody } from '#kernel/slice.ts'
import { answerDone, answerPart, mendable, seeOther, Visit } from '#web/index.ts'
import { getComment, type Written } from '#work/comments/index.ts'
import { type Asked, findIssueById, getIssue, IssueParams, type IssueRow, requirePosterOrWriter } from '#work/issues/index.ts'
import { administer, setPlan, setReaction, setSubscription } from './act.ts'
import { backTo, unlessGone } from './back.ts'
import { besidePages } from './beside-pages.ts'
import { deletedPages } from './deleted-pages.ts'
import { answerEdit } from './edit-comment.tsx'
import { everywherePages } from './everywhere-pages.ts'
import { ActionForm, CommentTargetParams, lineFeeds, PlanForm, PreviewForm, ReactionForm, TickForm } from './forms.ts'
import { listPages } from './list-pages.ts'
import { openIssue, showNewIssue } from './new-issue.tsx'
import { renderText, showThread } from './show-thread.tsx'
import { answerGone, answerStale } from './stale-edit.tsx'
import { asPosted, postComment, saveComment, saveIssue, type TextForm, tickTask, withTextForm } from './write-text.ts'

const NewIssueQuery = t.Object({
  template: t.Optional(t.String({ maxLength: 4096 })),
  title: t.Optional(t.String({ maxLength: 4096 })),
  body: t.Optional(t.String({ maxLength: 65_536 })),
})
const PREVIEW_BYTES = 2_097_152
const ThreadQuery = t.Object({ page: t.Optional(t.String()) })

/** Lists of issues and pull requests, new issues, and conversations with the forms that go on with them. */
export function threadPages(context: Context) {
  return new Elysia({ name: 'threads.pages' })
    .use(listPages(context))
    .use(everywherePages(context))
    .use(beginnings(context))
    .use(conversations(context))
    .use(texts(context))
    .use(deletedPages(context))
    .use(besidePages(context))
}

function beginnings(context: Context) {
  return new Elysia({ name: 'threads.beginnings' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/preview',
      async ({ viewer, repo, request, body }) => {
        requireUser(viewer)
        return answerPart(await renderText(context, new Visit(context, viewer, request), repo, lineFeeds(body.text)))
      },
      { repo: 'issues|pulls:read', params: RepoParams, body: PreviewForm, bodyLimit: PREVIEW_BYTES, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/issues/new',
      ({ viewer, repo, request, query }) => {
        requireUser(viewer)
        refuseArchived(repo)
        return showNewIssue(context, new Visit(context, viewer, request), repo, query)
      },
      { repo: 'issues:read', params: RepoParams, query: NewIssueQuery, detail: { hide: true } },
    )
    .get('/:owner/:repo/issues/new/choose', ({ viewer, repo, request }) => leadToForm(new Visit(context, viewer, request), repo), {
      repo: 'issues:read',
      params: RepoParams,
      detail: { hide: true },
    })
    .post(
      '/:owner/:repo/issues/new',
      ({ viewer, repo, request }) => {
        requireUser(viewer)
        return openIssue(context, new Visit(context, viewer, request), repo, request)
      },
      { repo: 'issues:read', params: RepoParams, detail: { hide: true, ...readsBody } },
    )
}

/** Gitea lets people choose a template before they see the form; ours has the choice. */
function leadToForm(visit: Visit, { owner, row }: RepoAccess): Response {
  return seeOther(visit.to`/${owner.name}/${row.name}/issues/new`)
}

/** By what administrators of the repository do to an issue. */
const administered: Record<string, string> = {
  lock: 'Conversation locked',
  unlock: 'Conversation unlocked',
  pin: 'Pinned',
  unpin: 'Unpinned',
}

function conversations(context: Context) {
  return new Elysia({ name: 'threads.conversations' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/issues/:index',
      (asked) => {
        const issue = getIssue(context, asked)
        const visit = new Visit(context, asked.viewer, asked.request)
        const { owner, row } = asked.repo
        if (issue.is_pull === 1) return seeOther(visit.to`/${owner.name}/${row.name}/pulls/${issue.number}`)
        return showThread(context, visit, asked.repo, issue, { page: asked.query.page })
      },
      { repo: 'issues|pulls:read', params: IssueParams, query: ThreadQuery, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/issues/:index/plan',
      (asked) => {
        refuseArchived(asked.repo)
        setPlan(context, { ...asked, issue: getIssue(context, asked) }, asked.body)
        return backTo(context, asked, '', 'Changes saved')
      },
      { repo: 'issues|pulls:write', params: IssueParams, body: PlanForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/issues/:index/subscription',
      (asked) => {
        const isOn = asked.body.action === 'subscribe'
        setSubscription(context, requireUser(asked.viewer).user.id, getIssue(context, asked), isOn)
        return backTo(context, asked, '', isOn ? 'Subscribed to notifications' : 'Unsubscribed from notifications')
      },
      { repo: 'issues|pulls:read', params: IssueParams, body: ActionForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/issues/:index/administer',
      (asked) => {
        refuseArchived(asked.repo)
        const issue = getIssue(context, asked)
        const isThere = administer(context, { ...asked, issue }, asked.body.action)
        if (isThere) return backTo(context, asked, '', administered[asked.body.action ?? ''])
        const list = issue.is_pull === 1 ? 'pulls' : 'issues'
        const visit = new Visit(context, asked.viewer, asked.request)
        return answerDone(visit, visit.to`/${asked.repo.owner.name}/${asked.repo.row.name}/${list}`, `#${issue.number} deleted`)
      },
      { repo: 'issues|pulls:admin', params: IssueParams, body: ActionForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/issues/:index/reactions',
      (asked) => {
        const issue = getIssue(context, asked)
        setReaction(context, { ...asked, issue }, undefined, asked.body)
        return backTo(context, asked, `#issue-${issue.number}`)
      },
      { repo: 'issues|pulls:read', params: IssueParams, body: ReactionForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/issues/:index/comments/:id/reactions',
      (asked) => {
        const issue = getIssue(context, asked)
        return unlessGone(context, asked, () => {
          setReaction(context, { ...asked, issue }, asked.params.id, asked.body)
          return backTo(context, asked, `#issuecomment-${asked.params.id}`)
        })
      },
      { repo: 'issues|pulls:read', params: CommentTargetParams, body: ReactionForm, detail: { hide: true } },
    )
}

/** Saves a text; where somebody else changed it meanwhile, `stale` says so. */
function unlessStale(save: () => void, done: Response, stale: () => Response): Response {
  try {
    save()
    return done
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    return stale()
  }
}

/** Undefined when it is deleted, or never was. */
function findComment(context: Pick<Context, 'db'>, { viewer, repo }: Asked, id: string): Written | undefined {
  try {
    return getComment(context, viewer, repo, id)
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** What people write. */
function texts(context: Context) {
  return new Elysia({ name: 'threads.texts' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/issues/:index/comments',
      (asked) => {
        requireUser(asked.viewer)
        const issue = getIssue(context, asked)
        const visit = new Visit(context, asked.viewer, asked.request)
        return withTextForm(context, asked.request, (form) => {
          const text = form.of('body')
          const files = form.files.map(({ name }) => name)
          if (form.of('action') === 'preview') return showThread(context, visit, asked.repo, issue, { draft: { text, files, isPreview: true } })
          try {
            const post = () => postComment(context, { ...asked, issue }, form)
            // Closing is no less meant when it comes again.
            const id = text.trim() === '' ? post() : asPosted(context, asked.viewer, ['comment', issue.id], form, post)
            return backTo(context, asked, id === undefined ? '' : `#issuecomment-${id}`)
          } catch (error) {
            const problem = mendable(error)
            return showThread(context, visit, asked.repo, issue, { draft: { text, files, error: problem.message, status: problem.status } })
          }
        })
      },
      { repo: 'issues|pulls:read', params: IssueParams, detail: { hide: true, ...readsBody } },
    )
    .post(
      '/:owner/:repo/issues/:index/content',
      (asked) => {
        refuseArchived(asked.repo)
        const issue = getIssue(context, asked)
        requirePosterOrWriter(asked.viewer, asked.repo, issue, issue.poster_id)
        return withTextForm(context, asked.request, (form) => {
          const now = () => findIssueById(context.db, issue.id) as IssueRow
          return unlessStale(
            () => saveIssue(context, { ...asked, issue }, form),
            backTo(context, asked),
            () => answerStale(new Visit(context, asked.viewer, asked.request), { ...asked, issue }, form, now()),
          )
        })
      },
      { repo: 'issues|pulls:read', params: IssueParams, detail: { hide: true, ...readsBody } },
    )
    .post(
      '/:owner/:repo/issues/:index/comments/:id',
      (asked) => {
        requireUser(asked.viewer)
        refuseArchived(asked.repo)
        const thread = getIssue(context, asked)
        const { id } = asked.params
        const visit = new Visit(context, asked.viewer, asked.request)
        const gone = (form: TextForm) => answerGone(visit, { ...asked, issue: thread }, form)
        const written = findComment(context, asked, id)
        if (!written) return withTextForm(context, asked.request, gone)
        const { comment, issue } = written
        requirePosterOrWriter(asked.viewer, asked.repo, issue, comment.poster_id)
        return withTextForm(context, asked.request, (form) => {
          const now = () => findComment(context, asked, id)?.comment
          // Files may take long to arrive.
          if (!now()) return gone(form)
          return unlessStale(
            () => saveComment(context, asked, id, form),
            backTo(context, asked, `#issuecomment-${id}`),
            () => answerStale(visit, { ...asked, issue }, form, now() ?? comment),
          )
        })
      },
      { repo: 'issues|pulls:read', params: CommentTargetParams, detail: { hide: true, ...readsBody } },
    )
    .get(
      '/:owner/:repo/issues/:index/comments/:id/edit',
      (asked) => {
        requireUser(asked.viewer)
        refuseArchived(asked.repo)
        const { comment, issue } = getComment(context, asked.viewer, asked.repo, asked.params.id)
        requirePosterOrWriter(asked.viewer, asked.repo, issue, comment.poster_id)
        return answerEdit(new Visit(context, asked.viewer, asked.request), { ...asked, issue }, comment)
      },
      { repo: 'issues|pulls:read', params: CommentTargetParams, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/issues/:index/tick',
      (asked) => {
        refuseArchived(asked.repo)
        const issue = getIssue(context, asked)
        tickTask(context, { ...asked, issue }, undefined, asked.body.task)
        return backTo(context, asked, `#issue-${issue.number}`)
      },
      { repo: 'issues|pulls:read', params: IssueParams, body: TickForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/issues/:index/comments/:id/tick',
      (asked) => {
        refuseArchived(asked.repo)
        const issue = getIssue(context, asked)
        return unlessGone(context, asked, () => {
          tickTask(context, { ...asked, issue }, asked.params.id, asked.body.task)
          return backTo(context, asked, `#issuecomment-${asked.params.id}`)
        })
      },
      { repo: 'issues|pulls:read', params: CommentTargetParams, body: TickForm, detail: { hide: true } },
    )
}
