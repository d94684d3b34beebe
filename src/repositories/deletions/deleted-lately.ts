import { t } from 'elysia'
import type { Context } from '#context.ts'
import type { DeletedThing } from '#web/index.ts'
import { keyOf, restorableSince, restorableUntil, writeDeletionKey } from './soft-delete.ts'
import { type DeletionPlace, listDeleted } from './store.ts'

const MOST_SHOWN = 20

/** The key of the row to restore. */
export const RestoreForm = t.Object({ id: t.String({ maxLength: 40 }) })

/** What the list shows of a deleted label or milestone. */
interface Columns {
  name?: string
  title?: string
  issue_count?: number
  open_issue_count?: number
  closed_issue_count?: number
}

/** The labels or milestones of a repository or organization that were deleted last and can be restored. */
export function listDeletedLately(
  context: Pick<Context, 'config' | 'clock' | 'db'>,
  table: 'label' | 'milestone',
  place: DeletionPlace & { kind: 'repo' | 'org' },
): DeletedThing[] {
  return listDeleted<Columns>(context.db, table, place, restorableSince(context), MOST_SHOWN).map((row) => {
    const uses = row.issue_count ?? (row.open_issue_count ?? 0) + (row.closed_issue_count ?? 0)
    const until = restorableUntil(context, row)
    return { key: writeDeletionKey(keyOf(row)), name: row.name ?? row.title ?? '', facts: usesText(uses), by: row.by, deletedAt: row.deleted_at, until }
  })
}

/** On how many issues and pull requests it stood. */
function usesText(uses: number): string {
  if (uses === 0) return ''
  return `used on ${uses === 1 ? 'one issue or pull request' : `${uses} issues and pull requests`}, `
}
