import { MadeLately } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { parsePage } from '#kernel/page.ts'
import { listDeletedLately, parseDeletionKey, writeDeletionKey } from '#repositories/deletions/index.ts'
import { answerDone, answerPage, attempt, checkForm } from '#web/index.ts'
import { addLabelSet, createLabel, deleteLabel, editLabel, restoreLabel } from './change-labels.ts'
import type { LabelForm, LabelListQuery } from './label-form.ts'
import { type LabelPlace, LabelsPage, type RefusedLabel } from './label-templates.tsx'
import { CreateLabelOption } from './schema.ts'
import { type LabelOwner, searchLabels } from './store.ts'

const PAGE_SIZE = 50

/** A place of labels, with whose they are. */
export interface LabelDesk extends LabelPlace {
  owner: LabelOwner
}

/** What the pages of repositories and organizations do alike with the labels of theirs. */
export function labelDesks(context: Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'services'>) {
  const { db } = context
  return {
    list: (desk: LabelDesk, query: LabelListQuery) => show(desk, query),
    save(desk: LabelDesk, id: string | undefined, typed: LabelForm): Promise<Response> {
      const known = id === undefined ? undefined : rowIdIn(id)
      const work = () => {
        const asked = { exclusive: false, is_archived: false, ...checkForm(CreateLabelOption, typed) }
        const make = () => createLabel(context, desk.owner, asked)
        if (known === undefined) context.services.get(MadeLately).once(desk.visit.viewer, ['label', desk.address, asked], make)
        else editLabel(context, desk.owner, known, asked)
        return answerDone(desk.visit, desk.address, `Label “${asked.name}” ${known === undefined ? 'created' : 'saved'}`)
      }
      return attempt(work, ({ message, status }) => show(desk, {}, { id: known, typed, reason: message }, status))
    },
    delete(desk: LabelDesk, id: string): Response {
      const key = deleteLabel(context, desk.owner, rowIdIn(id), desk.visit.viewer)
      const undo = key && { undo: { action: `${desk.address}/restore`, fields: { id: writeDeletionKey(key) } } }
      return answerDone(desk.visit, desk.address, { text: 'Label deleted', ...undo })
    },
    restore(desk: LabelDesk, key: string): Response {
      restoreLabel(context, desk.owner, parseDeletionKey(key))
      return answerDone(desk.visit, desk.address, 'Label restored')
    },
    addSet(desk: LabelDesk, name: string): Response {
      addLabelSet(context, desk.owner, name)
      return answerDone(desk.visit, desk.address, `Label set “${name}” loaded`)
    },
  }

  function show(desk: LabelDesk, query: LabelListQuery, refused?: RefusedLabel, status = 200): Response {
    const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
    const q = query.q?.trim() ?? ''
    const { rows: labels, total } = searchLabels(db, desk.owner, q, page)
    const deleted = desk.mayWrite ? listDeletedLately(context, 'label', desk.owner) : []
    const props = { labels, deleted, q, page, total, refused }
    return answerPage(<LabelsPage place={desk} {...props} />, status)
  }
}
