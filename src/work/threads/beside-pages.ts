import { Elysia, t } from 'elysia'
import { gate, refuseArchived, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { BadRequest, Problem, Unprocessable } from '#kernel/errors.ts'
import { mendable, seeOther, Visit } from '#web/index.ts'
import { type Asked, depend, findOther, getIssue, IssueParams, type Placed } from '#work/issues/index.ts'
import { addTime, cancelWatch, resetTime, startWatch, stopWatch } from '#work/times/index.ts'
import { showThread } from './show-thread.tsx'

const DependencyForm = t.Object({ other: t.String({ maxLength: 500 }), action: t.String({ maxLength: 20 }) })
const TimeForm = t.Object({
  action: t.String({ maxLength: 20 }),
  hours: t.Optional(t.Integer({ minimum: 0, maximum: 1000 })),
  minutes: t.Optional(t.Integer({ minimum: 0, maximum: 59 })),
})

/** Which issues wait for which, and the time that is spent on them. */
export function besidePages(context: Context) {
  return new Elysia({ name: 'threads.beside' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/issues/:index/dependencies',
      (asked) => attempt(context, asked, () => changeDependency(context, asked, { repo: asked.repo, issue: getIssue(context, asked) }, asked.body)),
      { repo: 'issues|pulls:write', params: IssueParams, body: DependencyForm, detail: { hide: true } },
    )
    .post('/:owner/:repo/issues/:index/times', (asked) => attempt(context, asked, () => changeTime(context, asked, asked.body)), {
      repo: 'issues|pulls:read',
      params: IssueParams,
      body: TimeForm,
      detail: { hide: true },
    })
}

/** Back to the issue; what was not done is said on its page. */
async function attempt(context: Context, asked: Asked, work: () => void): Promise<Response> {
  requireUser(asked.viewer)
  refuseArchived(asked.repo)
  const visit = new Visit(context, asked.viewer, asked.request)
  const issue = getIssue(context, asked)
  try {
    work()
    return seeOther(visit.to`/${asked.repo.owner.name}/${asked.repo.row.name}/issues/${issue.number}`)
  } catch (error) {
    const { message, status } = mendable(error)
    return showThread(context, visit, asked.repo, issue, { draft: { text: '', error: message, status } })
  }
}

function changeDependency(context: Context, { viewer }: Asked, here: Placed, { other: text, action }: { other: string; action: string }): void {
  const other = otherOf(context, { viewer }, here, text)
  const [, not, way] = /^(not-)?(wait|block)$/.exec(action) ?? []
  if (way === undefined) throw new BadRequest(`Unknown action “${action}”.`)
  const [issue, on] = way === 'wait' ? [here, other] : [other, here]
  try {
    depend(context, viewer, issue, on, not === undefined)
  } catch (error) {
    if (error instanceof Problem && error.status === 404)
      throw new Unprocessable(`Cannot change this dependency. It no longer exists, or you do not have write access to ${text}.`)
    throw error
  }
}

/** `12`, `#12`, `owner/repository#12`, or an address. @throws Unprocessable for what the viewer cannot see, too */
function otherOf(context: Context, { viewer }: Pick<Asked, 'viewer'>, { repo }: Placed, text: string): Placed {
  const [, owner = repo.owner.name, name = repo.row.name, index] =
    /^(?:\S*?([^/\s#]+)\/([^/\s#]+)(?:#|\/(?:issues|pulls)\/))?#?(\d{1,9})$/.exec(text.trim()) ?? []
  const unknown = new Unprocessable(`Issue or pull request “${text}” not found. Enter a number like #12, or owner/repository#12.`)
  if (index === undefined) throw unknown
  try {
    return findOther(context, viewer, repo, { owner, repo: name, index: Number(index) })
  } catch (error) {
    throw error instanceof Problem && error.status === 404 ? unknown : error
  }
}

function changeTime(context: Context, asked: Asked, { action, hours = 0, minutes = 0 }: { action: string; hours?: number; minutes?: number }): void {
  const spot = { viewer: asked.viewer, repo: asked.repo, issue: getIssue(context, asked) }
  if (action === 'start') startWatch(context, spot)
  else if (action === 'stop') stopWatch(context, spot)
  else if (action === 'cancel') cancelWatch(context, spot)
  else if (action === 'reset') resetTime(context, spot)
  else if (action !== 'add') throw new BadRequest(`Unknown action “${action}”.`)
  else if (hours + minutes === 0) throw new Unprocessable('Enter at least 1 minute.')
  else addTime(context, spot, { time: hours * 3600 + minutes * 60 })
}
