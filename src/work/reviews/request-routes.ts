import { Elysia } from 'elysia'
import { gate, noContent, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { getPull, IssueParams } from '#work/issues/index.ts'
import { requestReviews, withdrawRequests } from './request-reviews.ts'
import { PullReviewList, PullReviewRequestOptions } from './schema.ts'
import { presentReviews } from './view.ts'

/** Whom reviews of a pull request are asked of. */
export function requestRoutes(context: Context) {
  return new Elysia({ name: 'reviews.requests' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/pulls/:index/requested_reviewers',
      (asked) => {
        const { viewer, repo, body } = asked
        const issue = getPull(context, asked)
        return presentReviews(context, viewer, repo, issue, requestReviews(context, viewer, issue, body))
      },
      {
        repo: 'pulls:read',
        params: IssueParams,
        body: PullReviewRequestOptions,
        response: { 201: PullReviewList },
        detail: operation('repoCreatePullReviewRequests', 'Create review requests for a pull request', 'repository'),
      },
    )
    .delete('/repos/:owner/:repo/pulls/:index/requested_reviewers', (asked) => withdrawRequests(context, asked.viewer, getPull(context, asked), asked.body), {
      repo: 'pulls:read',
      params: IssueParams,
      body: PullReviewRequestOptions,
      response: noContent,
      detail: operation('repoDeletePullReviewRequests', 'Cancel review requests for a pull request', 'repository'),
    })
}
