import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { parsePage } from '#kernel/page.ts'
import { answerDone, answerPage, attempt, checkForm } from '#web/index.ts'
import { addLabelSet, createLabel, deleteLabel, editLabel } from './change-labels.ts'
import type { LabelForm } from './label-form.ts'
import { type LabelPlace, LabelsPage, type RefusedLabel } from './label-templates.tsx'
import { CreateLabelOption } from './schema.ts'
import { countLabels, type LabelOwner, listLabels } from './store.ts'

const PAGE_SIZE = 50

/** A place of labels, with whose they are. */
export interface LabelDesk extends LabelPlace {
  owner: LabelOwner
}

/** What the pages of repositories and organizations do alike with the labels of theirs. */
export function labelDesks(context: Pick<Context, 'db' | 'clock'>) {
  const { db } = context
  return {
    list: (desk: LabelDesk, query: { page?: string }) => show(desk, query),
    save(desk: LabelDesk, id: string | undefined, typed: LabelForm): Promise<Response> {
      const known = id === undefined ? undefined : rowIdIn(id)
      const work = () => {
        const asked = { exclusive: false, is_archived: false, ...checkForm(CreateLabelOption, typed) }
        if (known === undefined) createLabel(context, desk.owner, asked)
        else editLabel(context, desk.owner, known, asked)
        return answerDone(desk.visit, desk.address, `Label “${asked.name}” ${known === undefined ? 'created' : 'saved'}`)
      }
      return attempt(work, ({ message, status }) => show(desk, {}, { id: known, typed, reason: message }, status))
    },
    delete(desk: LabelDesk, id: string): Response {
      deleteLabel(context, desk.owner, rowIdIn(id))
      return answerDone(desk.visit, desk.address, 'Label deleted')
    },
    addSet(desk: LabelDesk, name: string): Response {
      addLabelSet(context, desk.owner, name)
      return answerDone(desk.visit, desk.address, `The labels of “${name}” were added`)
    },
  }

  function show(desk: LabelDesk, query: { page?: string }, refused?: RefusedLabel, status = 200): Response {
    const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
    const labels = listLabels(db, desk.owner, page)
    return answerPage(<LabelsPage place={desk} labels={labels} page={page} total={countLabels(db, desk.owner)} refused={refused} />, status)
  }
}
