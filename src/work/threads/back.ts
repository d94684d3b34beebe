import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerDone, seeOther, Visit } from '#web/index.ts'
import type { Asked } from '#work/issues/index.ts'

/** The thread that a form belongs to. @param done what the form has done, where that does not show by itself */
export function backTo(context: Context, { viewer, repo, params, request }: Asked, anchor = '', done?: string): Response {
  const visit = new Visit(context, viewer, request)
  const location = visit.to`/${repo.owner.name}/${repo.row.name}/issues/${params.index}` + anchor
  return done === undefined ? seeOther(location) : answerDone(visit, location, done)
}

/** Does what a button beside a comment asks for. Where somebody deleted the comment since the page was loaded, the thread says so. */
export function unlessGone(context: Context, asked: Asked, work: () => Response): Response {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    return backTo(context, asked, '', 'This comment was deleted by someone else')
  }
}
