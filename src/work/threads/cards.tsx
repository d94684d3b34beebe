import { accessStore, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Child, Html, Visit } from '#web/index.ts'
import { presentComments } from '#work/comments/index.ts'
import { type CommentRow, type IssueRow, isPoster, isWriter } from '#work/issues/index.ts'
import { listReactionsOfThread } from '#work/reactions/index.ts'
import { renderText } from './show-thread.tsx'
import { previewAddress } from './view.ts'
import { rolesOf, Written } from './written.tsx'

export interface CardOptions<Row> {
  /** What is said beside the time. */
  noteOf?: (row: Row) => string | undefined
  /** What the text becomes before it is shown. */
  dress?: (row: Row, html: Html) => Html
}

/** Comments that stand elsewhere than in the conversation itself, as they look everywhere; by their ids. */
export async function commentCards<Row extends CommentRow>(
  context: Pick<Context, 'config' | 'db' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  rows: readonly Row[],
  { noteOf, dress }: CardOptions<Row> = {},
): Promise<Map<number, Child>> {
  const cards = new Map<number, Child>()
  if (rows.length === 0) return cards
  const { viewer } = visit
  const records = presentComments({ db: context.db, rootUrl: visit.root }, viewer, repo, rows, () => issue)
  const ids = rows.map(({ id }) => id)
  const reactions = listReactionsOfThread(context.db, issue.id, ids, viewer.user?.id ?? 0)
  const author = issue.poster_id === null ? undefined : accessStore.listUsersById(context.db, [issue.poster_id])[0]?.name
  const isHandled = viewer.user !== undefined && repo.row.archived_at === null
  const writes = isWriter(repo, issue)
  const mayWrite = isHandled && (issue.is_locked === 0 || writes)
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/issues/${issue.number}`
  for (const [i, row] of rows.entries()) {
    const record = records[i]
    if (record === undefined) continue
    const html = await renderText(context, visit, repo, row.body, row.id)
    const place = `${address}/comments/${row.id}`
    const edit = { previewAt: previewAddress(visit, repo), action: place, tickAction: `${place}/tick`, deleteAction: `${place}/delete` }
    cards.set(
      row.id,
      <Written
        visit={visit}
        id={`issuecomment-${row.id}`}
        author={record.user}
        roles={rolesOf({ owner: repo.owner.name, author }, record.user.login)}
        createdAt={record.created_at}
        note={noteOf?.(row)}
        isEdited={row.updated_at !== row.created_at}
        html={html}
        dress={dress && ((shown) => dress(row, shown))}
        assets={record.assets}
        signs={reactions.filter(({ comment_id }) => comment_id === row.id)}
        allSigns={mayWrite ? context.config.ui.REACTIONS : []}
        reactTo={`${place}/reactions`}
        edit={isHandled && (writes || (mayWrite && isPoster(viewer, row))) ? { ...edit, text: row.body, version: row.content_version } : undefined}
      />,
    )
  }
  return cards
}
