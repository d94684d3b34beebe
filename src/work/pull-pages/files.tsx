import { decorate, type RepoAccess } from '#access/index.ts'
import { addressWith, type ChangesQuery, type DiffNotes, isSplit, listChanges, renderNote, showChanges } from '#code/commits/index.ts'
import { type BranchRule, ruleAmong, rulesQuestion } from '#code/protection/index.ts'
import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { NotFound } from '#kernel/errors.ts'
import { answerPage, answerPart, type Child, countText, raw, Trouble, type Visit } from '#web/index.ts'
import { type IssueRow, isPoster } from '#work/issues/index.ts'
import { commonOf, movesQuestion, type PullRow, pullQuestion } from '#work/pulls/index.ts'
import { type LineComment, listPlaced, mayResolve, settleReviews } from '#work/reviews/index.ts'
import { type CardOptions, commentCards, TextField } from '#work/threads/index.ts'
import { FileFilter, type FileFilterQuery, filterOf } from './file-filter.tsx'
import { type AtLine, addressOfForm, LineForm, lineId, ownLines } from './line-form.tsx'
import { mayReview } from './may-review.ts'
import { namesOf, resolversOf } from './review-remarks.tsx'
import { PullFrame } from './show-pull.tsx'
import { Suggestions } from './suggestions.tsx'
import { countTabs } from './tab-counts.ts'
import { TalkView } from './talk.tsx'
import { MOST_OF_TALK, placeOf, type Talk, talksIn } from './talks.ts'
import { readViewing, ViewedProgress, ViewedTool, viewingWords } from './viewed.tsx'

/** As many comments on lines are looked at. */
const MAX_COMMENTS = 1000
/** As many of them are shown at once. */
const MAX_SHOWN = 200

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
  const said = talksOf(context, visit, issue)
  const page = addressWith(`${address}/files?${new URLSearchParams(query)}`, { path: undefined, line: undefined, suggest: undefined })
  const own = at && mayReply ? await ownLines(context, pull, at) : undefined
  const notesOf = async (paths: readonly string[]): Promise<DiffNotes> => {
    const below = await talksBelow(context, visit, repo, { issue, rule, mayReply, page, talks: said.placed, paths })
    return {
      addressOf: (path, line) => (mayReply ? addressOfForm(page, { path, line }) : `#${lineId({ path, line })}`),
      below: (path, line) => {
        const talks = below.get(placeKey({ path, line }))
        const form = at !== undefined && query.fragment !== 'said' && mayReply && at.path === path && at.line === line
        if (!talks && !form) return undefined
        return (
          <>
            {talks}
            {form && <LineForm address={address} page={page} at={at} head={pull.head_oid} own={own} hasPending={said.pending > 0} />}
          </>
        )
      },
    }
  }
  if (at && (query.fragment === 'line' || query.fragment === 'said')) return answerNote(visit, query, at, await notesOf([at.path]))
  const from = settled?.base_oid ? await commonOf(context, pull.repo_id, settled.base_oid, pull.head_oid) : undefined
  const ends = { where: pull.repo_id, from, to: pull.head_oid }
  const viewing = await decorate(context, 'viewed files', () => readViewing(context, visit, issue, ends), undefined)
  const { files } = await listChanges(context, ends)
  const changes = await showChanges(context, visit, {
    ends,
    old: from && { repo, commit: from },
    now: { repo, commit: pull.head_oid },
    query,
    here: page,
    notesOf,
    tools: viewing && ((file) => <ViewedTool address={address} file={file} viewing={viewing.get(file.path)} skip={query.skip} />),
    markOf: viewing && (({ path }) => viewingWords[viewing.get(path) ?? 'new']),
    filter: query.only === undefined ? filterOf(query, { viewing, comments: said.counts }) : undefined,
    listed: ({ path }) => (said.counts.has(path) ? countText(said.counts.get(path) ?? 0, 'comment') : undefined),
    isBeside: true,
    isFolded: ({ path, isGenerated }) => path !== at?.path && (viewing?.get(path) === 'viewed' || (isGenerated === true && !said.counts.has(path))),
  })
  if (changes instanceof Response) return changes
  const tabs = await countTabs(context, issue, pull, { base: settled?.base_oid ?? undefined, pushes })
  if (isDue()) await breathe()
  const mayJudge = !isPoster(visit.viewer, issue) && issue.is_closed === 0
  const answer = (
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="files" counts={tabs}>
      {mayReply && <ReviewForm address={address} head={pull.head_oid} pending={said.pending} mayJudge={mayJudge} error={error} />}
      <Unresolved address={address} talks={said.unresolved} />
      {said.isCut && (
        <p>
          {`Only the first ${MAX_COMMENTS} review comments are shown next to their lines. `}
          <a href={`${address}/remarks`}>All review comments</a>
        </p>
      )}
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

/** Responds with the row of comments below a line. */
function answerNote(visit: Visit, query: ChangesQuery, { path, line }: AtLine, notes: DiffNotes): Response {
  return answerPart(
    <table>
      <tbody>{raw(renderNote(notes, path, line, isSplit(query, visit)))}</tbody>
    </table>,
  )
}

interface Said {
  /** Those that have their places still. */
  placed: readonly Talk[]
  /** How many comments there are, by path. */
  counts: Map<string, number>
  /** Comments that wait to be sent with the viewer's review. */
  pending: number
  /** Whether there may be more comments than are looked at. */
  isCut: boolean
  /** Conversations that nobody has ended, and who began them. */
  unresolved: readonly { first: Talk['first']; author: string }[]
}

function talksOf({ db }: Pick<Context, 'db'>, { viewer }: Visit, issue: IssueRow): Said {
  const comments = listPlaced(db, issue.id, viewer.user?.id ?? 0, { limit: MAX_COMMENTS, offset: 0 })
  const talks = talksIn(comments)
  const open = talks.filter(({ first }) => first.type === 'code' && first.resolver_id === null)
  const nameOf = namesOf(
    db,
    open.map(({ first }) => first.poster_id),
  )
  return {
    placed: talks.filter(({ first }) => first.is_outdated === 0),
    counts: new Map([...Map.groupBy(comments, ({ path }) => path)].map(([path, said]) => [path, said.length])),
    pending: comments.filter(({ type }) => type === 'code_draft').length,
    isCut: comments.length === MAX_COMMENTS,
    unresolved: open.map(({ first }) => ({ first, author: nameOf(first.poster_id) ?? 'Ghost' })),
  }
}

interface SaidAt {
  issue: IssueRow
  rule: BranchRule | undefined
  mayReply: boolean
  /** The address of the page. */
  page: string
  talks: readonly Talk[]
  paths: readonly string[]
}

/** What was said of the lines of some files, by their places. */
async function talksBelow(
  context: Context,
  visit: Visit,
  repo: RepoAccess,
  { issue, rule, mayReply, page, talks, paths }: SaidAt,
): Promise<Map<string, Child[]>> {
  const { viewer } = visit
  const there = new Set(paths)
  const { shown, left } = firstTalks(talks.filter(({ first }) => there.has(first.path)))
  const comments = shown.flatMap((talk) => talk.comments.slice(0, MOST_OF_TALK))
  const noteOf = ({ type }: LineComment) => (type === 'code_draft' ? 'Pending' : undefined)
  const nameOf = resolversOf(context, comments)
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const suggestions = new Suggestions(address, false)
  await suggestions.read(context, visit, repo, issue, comments)
  const dress: CardOptions<LineComment>['dress'] = (comment, html) => suggestions.dress(comment, html)
  const cards = await commentCards(context, visit, repo, issue, comments, { noteOf, dress })
  const props = {
    ...{ address, at: 'files' as const, page, mayReply },
    cards,
    mayResolve: shown.length > 0 && repo.row.archived_at === null && mayResolve(context.db, viewer, repo, issue, () => rule),
  }
  const below = new Map<string, Child[]>()
  const add = (key: string, child: Child) => below.set(key, [...(below.get(key) ?? []), child])
  for (const talk of shown) add(placeKey(talk.first), <TalkView talk={talk} {...props} resolver={nameOf(talk.first.resolver_id)} />)
  for (const [key, more] of Map.groupBy(left, ({ first }) => placeKey(first))) add(key, <MoreTalks address={address} talks={more} />)
  return below
}

/** The first of them, as many as are shown at once. */
function firstTalks(talks: readonly Talk[]): { shown: readonly Talk[]; left: readonly Talk[] } {
  let comments = 0
  const end = talks.findIndex((talk) => (comments += Math.min(MOST_OF_TALK, talk.comments.length)) > MAX_SHOWN)
  return end < 0 ? { shown: talks, left: [] } : { shown: talks.slice(0, Math.max(1, end)), left: talks.slice(Math.max(1, end)) }
}

/** Where so much was said that not all of it is shown. */
function MoreTalks({ address, talks }: { address: string; talks: readonly Talk[] }) {
  const count = talks.reduce((sum, { comments }) => sum + comments.length, 0)
  return (
    <p>
      <a href={`${address}/remarks`}>{`Show ${countText(count, 'more comment')}`}</a>
    </p>
  )
}

/** Conversations that are still to be ended, each a way to it. */
function Unresolved({ address, talks }: { address: string; talks: Said['unresolved'] }) {
  if (talks.length === 0) return null
  return (
    <details class="written">
      <summary>{countText(talks.length, 'unresolved conversation')}</summary>
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
      <summary>{pending > 0 ? `Finish review (${pending} pending)` : 'Review changes'}</summary>
      <form class="fields" method="post" action={`${address}/reviews`}>
        <Trouble text={error} />
        <input type="hidden" name="commit_id" value={head} />
        <p class="faint">To comment on a line, select its line number below.</p>
        <TextField text="" label="Review summary" rows={4} />
        <div class="buttons">
          {mayJudge && (
            <button class="primary" type="submit" name="event" value="APPROVED">
              Approve
            </button>
          )}
          {mayJudge && (
            <button type="submit" name="event" value="REQUEST_CHANGES">
              Request changes
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
