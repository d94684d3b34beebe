import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Child, type Html, Time, type Visit } from '#web/index.ts'
import { type IssueRow, listUsersById } from '#work/issues/index.ts'
import { type LineComment, listPlaced } from '#work/reviews/index.ts'
import { renderText } from '#work/threads/index.ts'

/** As many comments on lines are shown. */
const MAX_REMARKS = 300

/** By review, what it says of single lines; also of lines that are there no more. */
export async function remarksOf(context: Pick<Context, 'db' | 'services'>, visit: Visit, repo: RepoAccess, issue: IssueRow): Promise<Map<number, Child>> {
  const comments = listPlaced(context.db, issue.id, 0, MAX_REMARKS)
  const people = listUsersById(context.db, [...new Set(comments.flatMap(({ poster_id }) => poster_id ?? []))])
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const files = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}/files`
  const shown = new Map<number, Child[]>()
  for (const comment of comments) {
    const html = await renderText(context, visit, repo, comment.body, comment.id)
    const remark = <Remark visit={visit} comment={comment} author={names.get(comment.poster_id ?? 0) ?? 'Ghost'} html={html} files={files} />
    shown.set(comment.review_id ?? 0, [...(shown.get(comment.review_id ?? 0) ?? []), remark])
  }
  return shown
}

function Remark({ visit, comment, author, html, files }: { visit: Visit; comment: LineComment; author: string; html: Html; files: string }) {
  const { id, path, line, hunk, is_outdated, resolver_id, created_at } = comment
  return (
    <article class="written" id={`issuecomment-${id}`}>
      <header class="faint">
        <a href={visit.to`/${author}`}>{author}</a> <Time at={created_at} /> on{' '}
        {is_outdated === 1 ? <code>{path}</code> : <a href={`${files}#issuecomment-${id}`}>{line === 0 ? path : `${path}, line ${Math.abs(line)}`}</a>}
        {is_outdated === 1 && <span class="mark">Outdated</span>}
        {resolver_id !== null && <span class="mark">Resolved</span>}
      </header>
      {is_outdated === 1 && hunk !== '' && (
        <details>
          <summary>The lines it was about</summary>
          <pre>{hunk}</pre>
        </details>
      )}
      <div class="text">{html}</div>
    </article>
  )
}
