import { t } from 'elysia'
import type { Context } from '#context.ts'
import { Icon, type IconName, Time, type Visit } from '#web/index.ts'
import { restorableSince, restorableUntil, writeDeletionKey } from './deletions.ts'
import { type DeletableTable, type DeletionPlace, listDeletions } from './store.ts'

const MOST_SHOWN = 20

/** Which deletion is to be undone. */
export const RestoreForm = t.Object({ id: t.String({ maxLength: 40 }) })

/** Something that is not there any more, for who can bring it back. */
export interface DeletedThing {
  /** Of the deletion. */
  key: string
  name: string
  /** How many issues and pull requests it stood on. */
  uses: number
  /** The name of who deleted it; null when they are gone. */
  by: string | null
  /** In Unix seconds. */
  deletedAt: number
  until: number
}

/** The labels or milestones of a repository or organization that were deleted last and can be restored. */
export function listDeletedLately(context: Pick<Context, 'config' | 'clock' | 'db'>, table: DeletableTable, place: DeletionPlace): DeletedThing[] {
  return listDeletions(context.db, table, place, restorableSince(context), MOST_SHOWN).map((row) => {
    const { name, title, issue_count, open_issue_count, closed_issue_count } = JSON.parse(row.content) as Record<string, string & number>
    const uses = issue_count ?? (open_issue_count ?? 0) + (closed_issue_count ?? 0)
    const key = writeDeletionKey({ id: row.id, rowId: row.row_id })
    return { key, name: name ?? title ?? '', uses, by: row.by, deletedAt: row.deleted_at, until: restorableUntil(context, row) }
  })
}

interface Props {
  visit: Visit
  /** Where the form goes. */
  action: string
  deleted: readonly DeletedThing[]
  icon: IconName
}

/** Each with the button that brings it back. */
export function DeletedLately({ visit, action, deleted, icon }: Props) {
  if (deleted.length === 0) return null
  return (
    <section>
      <h3>Deleted lately</h3>
      <form method="post" action={action}>
        <ul class="list">
          {deleted.map(({ key, name, uses, by, deletedAt, until }) => (
            <li class="entry">
              <div class="what grows">
                <Icon visit={visit} name={icon} /> {name}
                <p class="faint">
                  {uses > 0 && `stood on ${uses === 1 ? 'one issue or pull request' : `${uses} issues and pull requests`}, `}
                  {'deleted '}
                  {by !== null && ['by ', <a href={visit.to`/${by}`}>{by}</a>, ' ']}
                  <Time at={deletedAt} />
                  {`, can be restored until ${new Date(until * 1000).toISOString().slice(0, 10)}`}
                </p>
              </div>
              <button type="submit" name="id" value={key} aria-label={`Restore ${name}`}>
                Restore
              </button>
            </li>
          ))}
        </ul>
      </form>
    </section>
  )
}
