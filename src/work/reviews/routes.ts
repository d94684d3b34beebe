import { Elysia } from 'elysia'
import { gate, lineOf, noContent, operation, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { getPull, IssueParams } from '#work/issues/index.ts'
import { commentRoutes } from './comment-routes.ts'
import { createReview, submitReview } from './create-review.ts'
import { removeReview } from './delete-review.ts'
import { setDismissed } from './dismiss-review.ts'
import { getReview, maySee } from './find-review.ts'
import { requestRoutes } from './request-routes.ts'
import { CreatePullReviewOptions, DismissPullReviewOptions, PullReview, PullReviewList, ReviewParams, ReviewsQuery, SubmitPullReviewOptions } from './schema.ts'
import { settleReviews } from './settle.ts'
import { listReviews } from './store.ts'
import { presentReview, presentReviews } from './view.ts'

/** Reviews of pull requests. */
export function reviews(context: Context) {
  return new Elysia({ name: 'reviews' })
    .use(gate(context))
    .use(paging(context))
    .use(verdictRoutes(context))
    .use(commentRoutes(context))
    .use(requestRoutes(context))
    .get(
      '/repos/:owner/:repo/pulls/:index/reviews',
      async (asked) => {
        const { viewer, repo, page, total } = asked
        const issue = getPull(context, asked)
        await settleReviews(context, issue.id)
        const found = await listReviews(context.db, lineOf(viewer), issue.id, page)
        // As in Gitea what others have not sent is counted, and not shown.
        total(found.total)
        const rows = found.rows.filter((review) => maySee(viewer, review))
        return presentReviews(context, viewer, repo, issue, rows)
      },
      {
        repo: 'pulls:read',
        list: true,
        params: IssueParams,
        query: ReviewsQuery,
        response: { 200: PullReviewList },
        detail: operation('repoListPullReviews', 'List all reviews for a pull request', 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/pulls/:index/reviews',
      async (asked) => {
        const { viewer, repo, body } = asked
        const issue = getPull(context, asked)
        return presentReview(context, viewer, repo, issue, await createReview(context, viewer, repo, issue, body))
      },
      {
        repo: 'pulls:read',
        params: IssueParams,
        body: CreatePullReviewOptions,
        response: { 200: PullReview },
        detail: operation('repoCreatePullReview', 'Create a review to an pull request', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/pulls/:index/reviews/:id',
      async (asked) => {
        await settleReviews(context, getReview(context, asked).issue.id)
        const { issue, review } = getReview(context, asked)
        return presentReview(context, asked.viewer, asked.repo, issue, review)
      },
      {
        repo: 'pulls:read',
        params: ReviewParams,
        response: { 200: PullReview },
        detail: operation('repoGetPullReview', 'Get a specific review for a pull request', 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/pulls/:index/reviews/:id',
      async (asked) => {
        const reviewed = getReview(context, asked)
        return presentReview(context, asked.viewer, asked.repo, reviewed.issue, await submitReview(context, asked.viewer, reviewed, asked.body))
      },
      {
        repo: 'pulls:read',
        params: ReviewParams,
        body: SubmitPullReviewOptions,
        response: { 200: PullReview },
        detail: operation('repoSubmitPullReview', 'Submit a pending review to an pull request', 'repository'),
      },
    )
    .delete('/repos/:owner/:repo/pulls/:index/reviews/:id', (asked) => removeReview(context, asked.viewer, getReview(context, asked)), {
      repo: 'pulls:read',
      params: ReviewParams,
      response: noContent,
      detail: operation('repoDeletePullReview', 'Delete a specific review from a pull request', 'repository'),
    })
}

/** What who administers the repository does about verdicts. */
function verdictRoutes(context: Context) {
  return new Elysia({ name: 'reviews.verdicts' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/pulls/:index/reviews/:id/dismissals',
      (asked) => {
        const { viewer, repo, body } = asked
        const reviewed = getReview(context, asked)
        return presentReview(context, viewer, repo, reviewed.issue, setDismissed(context, viewer, repo, reviewed, true, body))
      },
      {
        repo: 'pulls:read',
        params: ReviewParams,
        body: DismissPullReviewOptions,
        response: { 200: PullReview },
        detail: operation('repoDismissPullReview', 'Dismiss a review for a pull request', 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/pulls/:index/reviews/:id/undismissals',
      (asked) => {
        const { viewer, repo } = asked
        const reviewed = getReview(context, asked)
        return presentReview(context, viewer, repo, reviewed.issue, setDismissed(context, viewer, repo, reviewed, false, {}))
      },
      {
        repo: 'pulls:read',
        params: ReviewParams,
        response: { 200: PullReview },
        detail: operation('repoUnDismissPullReview', 'Cancel to dismiss a review for a pull request', 'repository'),
      },
    )
}
