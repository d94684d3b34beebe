import type { RepoAccess } from '#access/index.ts'
import { addressWith, type ChangesQuery, type DiffNotes, showChanges } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { answerPage, type Html, Time, Trouble, type Visit } from '#web/index.ts'
import { type IssueRow, isPoster, listUsersById, refuseLocked } from '#work/issues/index.ts'
import { getPullRow, mergeBaseOf } from '#work/pulls/index.ts'
import { type LineComment, listPlaced, settleReviews } from '#work/reviews/index.ts'
import { renderText, TextField } from '#work/threads/index.ts'
import { PullFrame } from './show-pull.tsx'
import { readViewing, ViewedProgress, ViewedTool, viewingWords } from './viewed.tsx'

/** As many comments on lines are shown. */
const MAX_COMMENTS = 1000

/** The line that a form stands at, and what was typed there that was not taken. */
export interface AtLine {
  path: string
  /** Below zero: a line of what was before. */
  line: number
  body: string
  error?: string
  status?: number
}

/** What of the page is asked for. */
interface Shown {
  query?: ChangesQuery
  at?: AtLine | undefined
  error?: string
}

interface Thread {
  comment: LineComment
  author: string
  html: Html
}

/** What a pull request changes, file by file, with what was said of single lines and the form of the review. */
export async function showPullFiles(
  context: Context,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  { query = {}, at, error }: Shown = {},
): Promise<Response> {
  await settleReviews(context, issue.id)
  const pull = getPullRow(context.db, issue)
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const { threads, pending, unresolved } = await threadsOf(context, visit, repo, issue)
  const mayReview = mayWrite(visit, repo, issue)
  const isAsked = at?.status === undefined && error === undefined
  const page = isAsked ? visit.below(visit.path) : `${address}/files`
  const filtered = addressWith(page, { path: undefined, line: undefined })
  const here = filtered.includes('?') ? `${filtered}&` : `${filtered}?`
  const notes: DiffNotes = {
    addressOf: (path, line) => (mayReview ? `${here}path=${encodeURIComponent(path)}&line=${line}#write` : `#${anchorOf(path, line)}`),
    below: (path, line) => {
      const said = threads.get(placeKey(path, line))
      const form = at !== undefined && mayReview && at.path === path && at.line === line
      if (!said && !form) return undefined
      return (
        <>
          {said?.map((one) => (
            <LineThread visit={visit} address={address} thread={one} mayReply={mayReview} />
          ))}
          {form && <LineForm address={address} at={at} head={pull.head_oid} />}
        </>
      )
    },
  }
  const from = await mergeBaseOf(context, pull)
  const ends = { where: pull.repo_id, from, to: pull.head_oid }
  const viewing = await readViewing(context, visit, issue, ends)
  const changes = await showChanges(context, visit, {
    ends,
    old: from && { repo, commit: from },
    now: { repo, commit: pull.head_oid },
    query,
    here: filtered,
    notes,
    tools: viewing && ((file) => <ViewedTool address={address} file={file} viewing={viewing.get(file.path)} skip={query.skip} />),
    markOf: viewing && (({ path }) => viewingWords[viewing.get(path) ?? 'new']),
    isFolded: viewing && (({ path }) => viewing.get(path) === 'viewed' && path !== at?.path),
  })
  if (changes instanceof Response) return changes
  const mayJudge = !isPoster(visit.viewer, issue) && issue.is_closed === 0
  const answer = (
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="files">
      {mayReview && <ReviewForm address={address} head={pull.head_oid} pending={pending} mayJudge={mayJudge} error={error} />}
      <Unresolved address={address} threads={unresolved} />
      {viewing && <ViewedProgress viewing={viewing} />}
      {changes}
    </PullFrame>
  )
  return answerPage(answer, at?.status ?? (error === undefined ? 200 : 422))
}

function mayWrite({ viewer }: Visit, repo: RepoAccess, issue: IssueRow): boolean {
  if (viewer.user === undefined || repo.row.archived_at !== null) return false
  try {
    refuseLocked(repo, issue)
    return true
  } catch {
    return false
  }
}

function placeKey(path: string, line: number): string {
  return `${line} ${path}`
}

function anchorOf(path: string, line: number): string {
  return `line-${encodeURIComponent(path)}-${line}`
}

interface Said {
  /** By their places, those that have one still. */
  threads: Map<string, Thread[]>
  /** Comments that wait to be sent with the viewer's review. */
  pending: number
  /** The first comment of each conversation that nobody has resolved. */
  unresolved: Omit<Thread, 'html'>[]
}

async function threadsOf(context: Pick<Context, 'db' | 'services'>, visit: Visit, repo: RepoAccess, issue: IssueRow): Promise<Said> {
  const { viewer } = visit
  const threads = new Map<string, Thread[]>()
  const comments = listPlaced(context.db, issue.id, viewer.user?.id ?? 0, MAX_COMMENTS)
  const people = listUsersById(context.db, [...new Set(comments.flatMap(({ poster_id }) => poster_id ?? []))])
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const authorOf = (comment: LineComment) => names.get(comment.poster_id ?? 0) ?? 'Ghost'
  for (const comment of comments.filter(({ is_outdated }) => is_outdated === 0)) {
    const one = { comment, author: authorOf(comment), html: await renderText(context, visit, repo, comment.body, comment.id) }
    const key = placeKey(comment.path, comment.line)
    threads.set(key, [...(threads.get(key) ?? []), one])
  }
  const open = comments.filter(({ type, resolver_id }) => type === 'code' && resolver_id === null)
  const firsts = new Map(open.toReversed().map((comment) => [`${comment.review_id} ${placeKey(comment.path, comment.line)}`, comment]))
  const unresolved = [...firsts.values()].reverse().map((comment) => ({ comment, author: authorOf(comment) }))
  return { threads, pending: comments.filter(({ type }) => type === 'code_draft').length, unresolved }
}

/** Conversations that are still to be ended, each a way to it. */
function Unresolved({ address, threads }: { address: string; threads: Said['unresolved'] }) {
  if (threads.length === 0) return null
  return (
    <details class="written">
      <summary>{threads.length === 1 ? '1 unresolved conversation' : `${threads.length} unresolved conversations`}</summary>
      <ul>
        {threads.map(({ comment: { id, path, line, is_outdated: isOutdated }, author }) => (
          <li>
            <a href={`${isOutdated === 1 ? address : ''}#issuecomment-${id}`}>{line === 0 ? path : `${path}, line ${Math.abs(line)}`}</a>
            {`, by ${author}`}
            {isOutdated === 1 && <span class="mark">Outdated</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}

function LineThread({ visit, address, thread: { comment, author, html }, mayReply }: { visit: Visit; address: string; thread: Thread; mayReply: boolean }) {
  const isResolved = comment.resolver_id !== null
  const place = `${address}/comments/${comment.id}`
  return (
    <article class="written" id={`issuecomment-${comment.id}`}>
      <header class="faint">
        <a href={visit.to`/${author}`}>{author}</a> <Time at={comment.created_at} />
        {comment.type === 'code_draft' && <span class="mark">Not sent yet</span>}
        {isResolved && <span class="mark">Resolved</span>}
      </header>
      <div class="text">{html}</div>
      {mayReply && comment.type === 'code' && (
        <details>
          <summary>Answer</summary>
          <form class="fields" method="post" action={`${place}/replies`}>
            <TextField text="" label="Answer, in Markdown" rows={3} />
            <div class="buttons">
              <button class="primary" type="submit">
                Answer
              </button>
              <button type="submit" formaction={`${place}/resolve`} formnovalidate name="action" value={isResolved ? 'unresolve' : 'resolve'}>
                {isResolved ? 'Not resolved after all' : 'Resolve'}
              </button>
            </div>
          </form>
        </details>
      )}
    </article>
  )
}

function LineForm({ address, at, head }: { address: string; at: AtLine; head: string }) {
  return (
    <form class="fields written" id="write" method="post" action={`${address}/line`}>
      <Trouble text={at.error} />
      <input type="hidden" name="path" value={at.path} />
      <input type="hidden" name="line" value={at.line} />
      <input type="hidden" name="commit_id" value={head} />
      <TextField text={at.body} label="What about this line? In Markdown" rows={4} />
      <div class="buttons">
        <button class="primary" type="submit" name="action" value="review">
          Keep it for my review
        </button>
        <button type="submit" name="action" value="now">
          Post it now
        </button>
        <a href={`${address}/files`}>Leave it</a>
      </div>
    </form>
  )
}

interface ReviewFormProps {
  address: string
  head: string
  /** Comments that wait to be sent with it. */
  pending: number
  /** The author may only comment. */
  mayJudge: boolean
  error: string | undefined
}

function ReviewForm({ address, head, pending, mayJudge, error }: ReviewFormProps) {
  return (
    <details class="written" open={error !== undefined || pending > 0}>
      <summary>{pending > 0 ? `Finish your review: ${pending} ${pending === 1 ? 'comment waits' : 'comments wait'} to be sent` : 'Review'}</summary>
      <form class="fields" method="post" action={`${address}/reviews`}>
        <Trouble text={error} />
        <input type="hidden" name="commit_id" value={head} />
        <TextField text="" label="What about all of it? In Markdown" rows={4} />
        <div class="buttons">
          {mayJudge && (
            <button class="primary" type="submit" name="event" value="APPROVED">
              Approve
            </button>
          )}
          {mayJudge && (
            <button type="submit" name="event" value="REQUEST_CHANGES">
              Ask for changes
            </button>
          )}
          <button type="submit" name="event" value="COMMENT">
            Comment
          </button>
        </div>
      </form>
    </details>
  )
}
