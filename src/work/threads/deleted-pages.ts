import { Elysia } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { writeDeletionKey } from '#repositories/deletions/index.ts'
import { answerDone, Visit } from '#web/index.ts'
import { forgetComment, removeComment, restoreComment } from '#work/comments/index.ts'
import { type Asked, getIssue } from '#work/issues/index.ts'
import { unlessGone } from './back.ts'
import { CommentTargetParams } from './forms.ts'

/** Comments are deleted, and while they are kept restored, or removed for good. */
export function deletedPages(context: Context) {
  const placeOf = (asked: Asked) => {
    const visit = new Visit(context, asked.viewer, asked.request)
    const issue = getIssue(context, asked)
    const address = visit.to`/${asked.repo.owner.name}/${asked.repo.row.name}/issues/${issue.number}`
    return { visit, address, place: { viewer: asked.viewer, repo: asked.repo, issue } }
  }
  const terms = { repo: 'issues|pulls:read', params: CommentTargetParams, detail: { hide: true } } as const
  return new Elysia({ name: 'threads.deleted-pages' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/issues/:index/comments/:id/delete',
      (asked) => {
        const { visit, address } = placeOf(asked)
        return unlessGone(context, asked, () => {
          const key = removeComment(context, asked.viewer, asked.repo, asked.params.id)
          const undo = key && { undo: { action: `${address}/deleted/${writeDeletionKey(key)}/restore`, fields: {} } }
          return answerDone(visit, address, { text: 'Comment deleted', ...undo })
        })
      },
      terms,
    )
    .post(
      '/:owner/:repo/issues/:index/deleted/:id/restore',
      (asked) => {
        const { visit, address, place } = placeOf(asked)
        const id = restoreComment(context, place, asked.params.id)
        return answerDone(visit, `${address}#issuecomment-${id}`, 'Comment restored')
      },
      terms,
    )
    .post(
      '/:owner/:repo/issues/:index/deleted/:id/forget',
      (asked) => {
        const { visit, address, place } = placeOf(asked)
        forgetComment(context, place, asked.params.id)
        return answerDone(visit, address, 'Comment permanently deleted')
      },
      terms,
    )
}
