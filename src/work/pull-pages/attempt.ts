import type { Context } from '#context.ts'
import { Conflict, NotFound } from '#kernel/errors.ts'
import { mendable, seeOther, Visit } from '#web/index.ts'
import { getPull } from '#work/issues/index.ts'
import { showPull } from './show-pull.tsx'

/** Of what can only be done to an open pull request, or to a merge that waits. */
const OVERTAKEN = 'This pull request was closed or changed after you loaded the page. The page now shows its current state.'

/** Does what a button of the page asks for: back on the page then, which says what went wrong, if anything did; or where the work leads. */
export async function attempt(context: Context, asked: Parameters<typeof getPull>[1], work: () => unknown): Promise<Response> {
  const visit = new Visit(context, asked.viewer, asked.request)
  try {
    const answer = await work()
    if (answer instanceof Response) return answer
    return seeOther(visit.to`/${asked.repo.owner.name}/${asked.repo.row.name}/pulls/${asked.params.index}`)
  } catch (error) {
    const problem = error instanceof NotFound ? new Conflict(OVERTAKEN) : mendable(error, 404)
    const page = await showPull(context, visit, asked.repo, getPull(context, asked), {
      error: problem.message || 'The branches have conflicts that must be resolved first.',
    })
    return new Response(page.body, { status: problem.status, headers: page.headers })
  }
}
