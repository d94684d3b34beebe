import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Child, Html, Visit } from '#web/index.ts'
import { type Comment, presentComments } from '#work/comments/index.ts'
import { type CommentRow, type IssueRow, isPoster, isWriter } from '#work/issues/index.ts'
import { listReactionsOfThread, type SignCount } from '#work/reactions/index.ts'
import { renderText } from './show-thread.tsx'
import { previewAddress } from './view.ts'
import { rolesOf, Written } from './written.tsx'

export interface CardOptions<Row> {
  /** What is said beside the time. */
  noteOf?: (row: Row) => string | undefined
  /** What the text becomes before it is shown. */
  dress?: (row: Row, html: Html) => Html
  /** To all of them, when they are known already. */
  reactions?: readonly SignCount[] | undefined
  /** Files beside them, by their ids, the same. */
  assets?: ReadonlyMap<number, Comment['assets']> | undefined
}

/** A comment as it looks everywhere, and who wrote it. */
export interface CommentCard {
  card: Child
  author: string
}

/** Comments that stand elsewhere than in the conversation itself; by their ids. */
export async function commentCards<Row extends CommentRow>(
  context: Pick<Context, 'config' | 'db' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  rows: readonly Row[],
  { noteOf, dress, reactions: known, assets }: CardOptions<Row> = {},
): Promise<Map<number, CommentCard>> {
  const cards = new Map<number, CommentCard>()
  if (rows.length === 0) return cards
  const { viewer } = visit
  const records = presentComments({ db: context.db, rootUrl: visit.root }, viewer, repo, rows, () => issue, assets)
  const ids = rows.map(({ id }) => id)
  const reactions = known ?? listReactionsOfThread(context.db, issue.id, ids, viewer.user?.id ?? 0)
  const signs = Map.groupBy(reactions, ({ comment_id }) => comment_id)
  const isHandled = viewer.user !== undefined && repo.row.archived_at === null
  const writes = isWriter(repo, issue)
  const mayWrite = isHandled && (issue.is_locked === 0 || writes)
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/issues/${issue.number}`
  for (const [i, row] of rows.entries()) {
    const record = records[i]
    if (isDue()) await breathe()
    if (record === undefined) continue
    const html = await renderText(context, visit, repo, row.body, row.id)
    const place = `${address}/comments/${row.id}`
    const edit = { previewAt: previewAddress(visit, repo), action: place, tickAction: `${place}/tick`, deleteAction: `${place}/delete`, apart: `${place}/edit` }
    const card = (
      <Written
        visit={visit}
        id={`issuecomment-${row.id}`}
        author={record.user}
        roles={rolesOf({ isOwner: row.poster_id === repo.owner.id, isAuthor: row.poster_id !== null && row.poster_id === issue.poster_id })}
        createdAt={record.created_at}
        note={noteOf?.(row)}
        isEdited={row.updated_at !== row.created_at}
        html={html}
        dress={dress && ((shown) => dress(row, shown))}
        assets={record.assets}
        signs={signs.get(row.id) ?? []}
        allSigns={mayWrite ? context.config.ui.REACTIONS : []}
        reactTo={`${place}/reactions`}
        edit={isHandled && (writes || (mayWrite && isPoster(viewer, row))) ? { ...edit, text: row.body, version: row.content_version } : undefined}
      />
    )
    cards.set(row.id, { card, author: record.user.login })
  }
  return cards
}
