import type { Static } from 'elysia'
import type { Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import type { Page } from '#kernel/page.ts'
import { createLabel, deleteLabel, editLabel } from './change-labels.ts'
import { getLabel } from './find-label.ts'
import type { CreateLabelOption, EditLabelOption, Label, LabelsQuery } from './schema.ts'
import { countLabels, type LabelOwner, type LabelRow, listLabels } from './store.ts'
import { presentLabel } from './view.ts'

type LabelRecord = Static<typeof Label>

/** What a handler of a list is given to answer with. */
interface Listing {
  query: Static<typeof LabelsQuery>
  page: Page
  total: (count: number) => void
}

/**
 * What the routes of repositories and of organizations do alike with the labels of theirs.
 * @param ownerOf whose labels they are, of what the gate found
 * @param pathOf where that is in the API: `orgs/acme`
 */
export function labelHandlers<Found>(
  context: Pick<Context, 'config' | 'db' | 'clock' | 'jobs' | 'rootUrl'>,
  ownerOf: (found: Found) => LabelOwner,
  pathOf: (found: Found) => string,
) {
  const { db, rootUrl } = context
  const present = (found: Found, label: LabelRow): LabelRecord => presentLabel(`${rootUrl}api/v1/${pathOf(found)}`, label)
  return {
    list(found: Found, { query, page, total }: Listing): LabelRecord[] {
      total(countLabels(db, ownerOf(found)))
      return listLabels(db, ownerOf(found), page, query.sort === 'reversealphabetically').map((label) => present(found, label))
    },
    create: (found: Found, body: Static<typeof CreateLabelOption>) => present(found, createLabel(context, ownerOf(found), body)),
    get: (found: Found, idOrName: string) => present(found, getLabel(db, ownerOf(found), idOrName)),
    edit: (found: Found, id: string, body: Static<typeof EditLabelOption>) => present(found, editLabel(context, ownerOf(found), rowIdIn(id), body)),
    delete(found: Found, id: string, viewer: Viewer): void {
      deleteLabel(context, ownerOf(found), rowIdIn(id), viewer)
    },
  }
}
