import { t } from 'elysia'
import type { Context } from '#context.ts'
import type { DeletedThing } from '#web/index.ts'
import { restorableSince, restorableUntil, writeDeletionKey } from './deletions.ts'
import { type DeletableTable, type DeletionPlace, listDeletions } from './store.ts'

const MOST_SHOWN = 20

/** Which deletion is to be undone. */
export const RestoreForm = t.Object({ id: t.String({ maxLength: 40 }) })

/** The labels or milestones of a repository or organization that were deleted last and can be restored. */
export function listDeletedLately(context: Pick<Context, 'config' | 'clock' | 'db'>, table: DeletableTable, place: DeletionPlace): DeletedThing[] {
  return listDeletions(context.db, table, place, restorableSince(context), MOST_SHOWN).map((row) => {
    const { name, title, issue_count, open_issue_count, closed_issue_count } = JSON.parse(row.content) as Record<string, string & number>
    const uses = issue_count ?? (open_issue_count ?? 0) + (closed_issue_count ?? 0)
    const key = writeDeletionKey({ id: row.id, rowId: row.row_id })
    return { key, name: name ?? title ?? '', facts: usesText(uses), by: row.by, deletedAt: row.deleted_at, until: restorableUntil(context, row) }
  })
}

/** On how many issues and pull requests it stood. */
function usesText(uses: number): string {
  if (uses === 0) return ''
  return `stood on ${uses === 1 ? 'one issue or pull request' : `${uses} issues and pull requests`}, `
}
