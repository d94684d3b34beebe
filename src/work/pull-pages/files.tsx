import type { RepoAccess } from '#access/index.ts'
import { addressWith, type ChangesQuery, type DiffNotes, listChanges, showChanges } from '#code/commits/index.ts'
import { type BranchRule, ruleAmong, rulesQuestion } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerPage, type Child, Trouble, type Visit } from '#web/index.ts'
import { type IssueRow, isPoster } from '#work/issues/index.ts'
import { commonOf, movesQuestion, type PullRow, pullQuestion } from '#work/pulls/index.ts'
import { type LineComment, listPlaced, mayResolve, settleReviews } from '#work/reviews/index.ts'
import { type CardOptions, commentCards, TextField } from '#work/threads/index.ts'
import { FileFilter, type FileFilterQuery, filterOf } from './file-filter.tsx'
import { type AtLine, LineForm, ownLines } from './line-form.tsx'
import { mayReview } from './may-review.ts'
import { namesOf } from './review-remarks.tsx'
import { PullFrame } from './show-pull.tsx'
import { Suggestions } from './suggestions.tsx'
import { countTabs } from './tab-counts.ts'
import { TalkView } from './talk.tsx'
import { placeOf, type Talk, talksIn } from './talks.ts'
import { readViewing, ViewedProgress, ViewedTool, viewingWords } from './viewed.tsx'

/** As many comments on lines are shown. */
const MAX_COMMENTS = 1000

/** What of the page is asked for. */
interface Shown {
  query?: ChangesQuery & FileFilterQuery
  at?: AtLine | undefined
  error?: string
}

/** What a pull request changes, file by file, with what was said of single lines and the form of the review. */
export async function showPullFiles(
  context: Context,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  { query = {}, at, error }: Shown = {},
): Promise<Response> {
  const settled = await settleReviews(context, issue.id)
  const { pull, rule, pushes } = pullAndRule(context, issue)
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const mayReply = mayReview(visit.viewer, repo, issue)
  const { below, counts, pending, unresolved } = await talksOf(context, visit, repo, { issue, rule, mayReply })
  const isAsked = at?.status === undefined && error === undefined
  const page = isAsked ? visit.below(visit.path) : `${address}/files`
  const filtered = addressWith(page, { path: undefined, line: undefined, suggest: undefined })
  const here = filtered.includes('?') ? `${filtered}&` : `${filtered}?`
  const own = at && mayReply ? await ownLines(context, pull, at) : undefined
  const notes: DiffNotes = {
    addressOf: (path, line) => (mayReply ? `${here}path=${encodeURIComponent(path)}&line=${line}#write` : `#${anchorOf(path, line)}`),
    below: (path, line) => {
      const said = below.get(placeKey({ path, line }))
      const form = at !== undefined && mayReply && at.path === path && at.line === line
      if (!said && !form) return undefined
      return (
        <>
          {said}
          {form && <LineForm address={address} at={at} head={pull.head_oid} own={own} />}
        </>
      )
    },
  }
  const from = settled?.base_oid ? await commonOf(context, pull.repo_id, settled.base_oid, pull.head_oid) : undefined
  const ends = { where: pull.repo_id, from, to: pull.head_oid }
  const viewing = await readViewing(context, visit, issue, ends)
  const { files } = await listChanges(context, ends)
  const changes = await showChanges(context, visit, {
    ends,
    old: from && { repo, commit: from },
    now: { repo, commit: pull.head_oid },
    query,
    here: filtered,
    notes,
    tools: viewing && ((file) => <ViewedTool address={address} file={file} viewing={viewing.get(file.path)} skip={query.skip} />),
    markOf: viewing && (({ path }) => viewingWords[viewing.get(path) ?? 'new']),
    filter: query.only === undefined ? filterOf(query, { viewing, comments: counts }) : undefined,
    listed: ({ path }) => (counts.has(path) ? `${counts.get(path)} ${counts.get(path) === 1 ? 'comment' : 'comments'}` : undefined),
    isBeside: true,
    isFolded: ({ path, isGenerated }) => path !== at?.path && (viewing?.get(path) === 'viewed' || (isGenerated === true && !counts.has(path))),
  })
  if (changes instanceof Response) return changes
  const tabs = await countTabs(context, issue, pull, { base: settled?.base_oid ?? undefined, pushes })
  const mayJudge = !isPoster(visit.viewer, issue) && issue.is_closed === 0
  const answer = (
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="files" counts={tabs}>
      {mayReply && <ReviewForm address={address} head={pull.head_oid} pending={pending} mayJudge={mayJudge} error={error} />}
      <Unresolved address={address} talks={unresolved} />
      {viewing && <ViewedProgress viewing={viewing} />}
      <FileFilter action={`${address}/files`} query={query} files={files} hasViewing={viewing !== undefined} />
      {changes}
    </PullFrame>
  )
  return answerPage(answer, at?.status ?? (error === undefined ? 200 : 422))
}

function pullAndRule({ db }: Pick<Context, 'db'>, issue: IssueRow): { pull: PullRow; rule: BranchRule | undefined; pushes: number } {
  const questions = { pulls: pullQuestion(issue.id), rules: rulesQuestion(issue.repo_id), moves: movesQuestion(issue.id) }
  const { pulls, rules, moves } = db.askTogether(questions)
  const [pull] = pulls
  if (!pull) throw new NotFound()
  return { pull, rule: ruleAmong(rules, pull.base_branch), pushes: moves[0]?.pushes ?? 0 }
}

function placeKey({ path, line }: Pick<LineComment, 'path' | 'line'>): string {
  return `${line} ${path}`
}

function anchorOf(path: string, line: number): string {
  return `line-${encodeURIComponent(path)}-${line}`
}

interface Said {
  /** By their places, those that have one still. */
  below: Map<string, Child[]>
  /** How many comments there are, by path. */
  counts: Map<string, number>
  /** Comments that wait to be sent with the viewer's review. */
  pending: number
  /** Conversations that nobody has ended, and who began them. */
  unresolved: readonly { first: Talk['first']; author: string }[]
}

async function talksOf(
  context: Context,
  visit: Visit,
  repo: RepoAccess,
  { issue, rule, mayReply }: { issue: IssueRow; rule: BranchRule | undefined; mayReply: boolean },
): Promise<Said> {
  const { viewer } = visit
  const comments = listPlaced(context.db, issue.id, viewer.user?.id ?? 0, MAX_COMMENTS)
  const talks = talksIn(comments)
  const placed = talks.filter(({ first }) => first.is_outdated === 0)
  const shown = placed.flatMap((talk) => talk.comments)
  const noteOf = ({ type }: LineComment) => (type === 'code_draft' ? 'Not sent yet' : undefined)
  const open = talks.filter(({ first }) => first.type === 'code' && first.resolver_id === null)
  const nameOf = namesOf(context.db, [
    ...shown.map(({ resolver_id }) => resolver_id),
    ...open.flatMap(({ first }) => (first.is_outdated === 1 ? [first.poster_id] : [])),
  ])
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const suggestions = new Suggestions(address, false)
  await suggestions.read(context, visit, repo, issue, shown)
  const dress: CardOptions<LineComment>['dress'] = (comment, html) => suggestions.dress(comment, html)
  const cards = await commentCards(context, visit, repo, issue, shown, { noteOf, dress })
  const props = {
    ...{ address, at: 'files' as const, mayReply },
    cards,
    mayResolve: placed.length > 0 && repo.row.archived_at === null && mayResolve(context.db, viewer, repo, issue, () => rule),
  }
  const below = new Map<string, Child[]>()
  for (const talk of placed) {
    const key = placeKey(talk.first)
    below.set(key, [...(below.get(key) ?? []), <TalkView talk={talk} {...props} resolver={nameOf(talk.first.resolver_id)} />])
  }
  const unresolved = open.map(({ first }) => ({ first, author: cards.get(first.id)?.author ?? nameOf(first.poster_id) ?? 'Ghost' }))
  const counts = new Map([...Map.groupBy(comments, ({ path }) => path)].map(([path, said]) => [path, said.length]))
  return { below, counts, pending: comments.filter(({ type }) => type === 'code_draft').length, unresolved }
}

/** Conversations that are still to be ended, each a way to it. */
function Unresolved({ address, talks }: { address: string; talks: Said['unresolved'] }) {
  if (talks.length === 0) return null
  return (
    <details class="written">
      <summary>{talks.length === 1 ? '1 unresolved conversation' : `${talks.length} unresolved conversations`}</summary>
      <ul>
        {talks.map(({ first, author }) => (
          <li>
            <a href={`${first.is_outdated === 1 ? address : ''}#issuecomment-${first.id}`}>{placeOf(first)}</a>
            {`, by ${author}`}
            {first.is_outdated === 1 && <span class="mark">Outdated</span>}
          </li>
        ))}
      </ul>
    </details>
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
    <details class="written" id="review" open={error !== undefined || pending > 0}>
      <summary>{pending > 0 ? `Finish your review: ${pending} ${pending === 1 ? 'comment waits' : 'comments wait'} to be sent` : 'Review'}</summary>
      <form class="fields" method="post" action={`${address}/reviews`}>
        <Trouble text={error} />
        <input type="hidden" name="commit_id" value={head} />
        <p class="faint">The number of a line below leads to a form for what is to be said about that line.</p>
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
