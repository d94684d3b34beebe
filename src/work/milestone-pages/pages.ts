import { Elysia, t } from 'elysia'
import { gate, IdText, MadeLately, PageQuery, type RepoAccess, RepoParams, refuseArchived } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type DeletionKey, parseDeletionKey, RestoreForm, writeDeletionKey } from '#repositories/deletions/index.ts'
import { answerDone, seeOther, Visit } from '#web/index.ts'
import { createMilestone, editMilestone, removeMilestone, restoreMilestone } from '#work/milestones/index.ts'
import { showMilestones } from './list-page.tsx'
import { showMilestone } from './one-page.tsx'

const MilestoneParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the milestone') })
const Word = t.Optional(t.String({ maxLength: 255 }))
const ListQuery = t.Object({ ...PageQuery.properties, state: Word, sort: Word, q: Word })
const OneQuery = t.Object({ ...PageQuery.properties, state: Word, type: Word })
const MilestoneForm = t.Object({
  title: t.String({ maxLength: 255, pattern: '\\S', error: 'a title is required' }),
  description: t.Optional(t.String({ maxLength: 65_535 })),
  due: t.Optional(t.String({ pattern: '^(\\d{4}-\\d\\d-\\d\\d)?$', error: 'the date must have the format YYYY-MM-DD' })),
})
const StateForm = t.Object({ action: t.Union([t.Literal('close'), t.Literal('reopen'), t.Literal('delete')]) })

const doneWords = { close: 'Milestone closed', reopen: 'Milestone reopened', delete: 'Milestone deleted' }

/** Go's zero time takes a date away. */
const NO_DATE = '0001-01-01T00:00:00Z'

interface Asked {
  viewer: Visit['viewer']
  repo: RepoAccess
  request: Request
}

/** The milestones of a repository with how far they are, one with what is in it, and the forms that change them. */
export function milestonePages(context: Context) {
  const visitOf = ({ viewer, request }: Asked) => new Visit(context, viewer, request)
  return new Elysia({ name: 'milestones.pages' })
    .use(gate(context, 'page'))
    .use(changes(context))
    .get('/:owner/:repo/milestones', (asked) => showMilestones(context, visitOf(asked), asked.repo, asked.query), {
      repo: 'issues|pulls:read',
      params: RepoParams,
      query: ListQuery,
      detail: { hide: true },
    })
    .get('/:owner/:repo/milestones/new', (asked) => seeOther(visitOf(asked).to`/${asked.repo.owner.name}/${asked.repo.row.name}/milestones`), {
      repo: 'issues|pulls:read',
      params: RepoParams,
      detail: { hide: true },
    })
    .get('/:owner/:repo/milestone/:id', (asked) => showMilestone(context, visitOf(asked), asked.repo, rowIdIn(asked.params.id), asked.query), {
      repo: 'issues|pulls:read',
      params: MilestoneParams,
      query: OneQuery,
      detail: { hide: true },
    })
}

function changes(context: Context) {
  const back = ({ viewer, repo, request }: Asked, text: string, deleted?: DeletionKey) => {
    const visit = new Visit(context, viewer, request)
    const address = visit.to`/${repo.owner.name}/${repo.row.name}/milestones`
    const undo = deleted && { undo: { action: `${address}/restore`, fields: { id: writeDeletionKey(deleted) } } }
    return answerDone(visit, address, { text, ...undo })
  }
  const optionsOf = ({ title, description, due }: typeof MilestoneForm.static) => ({ title, description, due_on: due ? `${due}T00:00:00Z` : NO_DATE })
  return new Elysia({ name: 'milestones.changes' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/:repo/milestones',
      (asked) => {
        const form = ['milestone', asked.repo.row.id, asked.body]
        context.services.get(MadeLately).once(asked.viewer, form, () => createMilestone(context, asked.repo, optionsOf(asked.body)))
        return back(asked, `Milestone “${asked.body.title}” created`)
      },
      { repo: 'issues|pulls:write', params: RepoParams, body: MilestoneForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/milestones/restore',
      (asked) => {
        refuseArchived(asked.repo)
        restoreMilestone(context, asked.repo, parseDeletionKey(asked.body.id))
        return back(asked, 'Milestone restored')
      },
      { repo: 'issues|pulls:write', params: RepoParams, body: RestoreForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/milestones/:id',
      (asked) => {
        editMilestone(context, asked.repo, asked.params.id, optionsOf(asked.body))
        return back(asked, `Milestone “${asked.body.title}” saved`)
      },
      { repo: 'issues|pulls:write', params: MilestoneParams, body: MilestoneForm, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/milestones/:id/state',
      (asked) => {
        const { action } = asked.body
        if (action === 'delete') return back(asked, doneWords.delete, removeMilestone(context, asked.repo, asked.params.id, asked.viewer))
        editMilestone(context, asked.repo, asked.params.id, { state: action === 'close' ? 'closed' : 'open' })
        return back(asked, doneWords[action])
      },
      { repo: 'issues|pulls:write', params: MilestoneParams, body: StateForm, detail: { hide: true } },
    )
}
