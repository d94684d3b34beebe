import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { nothingAsked } from '#kernel/database/questions.ts'
import type { Db } from '#kernel/db.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import { Documents } from '#markdown/index.ts'
import { answerPage, type Child, type Html, raw, type Visit } from '#web/index.ts'
import { type Comment, type DeletedComment, findText, listDeletedComments, outlineQuestion, presentThread, type ThreadEntry } from '#work/comments/index.ts'
import { type CommentRow, type IssueRow, isPoster, isRepoAdmin, isWriter, subscriptionQuestion } from '#work/issues/index.ts'
import { listReactionsOfThread, type SignCount } from '#work/reactions/index.ts'
import { besideOf, besideQuestions } from './beside.ts'
import { choiceQuestions, choicesOf } from './choices.ts'
import { hasText, ThreadPage } from './thread.tsx'
import type { ThreadView } from './view.ts'

/** Entries of a conversation on one page. */
const PAGE_SIZE = 200

/** What somebody typed that was not taken, or is only looked at first. */
export interface Draft {
  text: string
  /** Why it was not taken. */
  error?: string
  status?: number
  /** Shown as it would be. */
  isPreview?: boolean
  /** Names of the files that came with it. */
  files?: readonly string[]
}

/** Comments of reviews on single lines. */
export interface Remarks {
  comments: readonly Pick<CommentRow, 'id'>[]
  /** By review. */
  show(known: KnownOfRemarks): Promise<ReadonlyMap<number, Child>>
}

/** What was found of them with the rest. */
export interface KnownOfRemarks {
  /** Among others. */
  reactions: readonly SignCount[]
  /** Files beside them, by their ids. */
  assets: ReadonlyMap<number, Comment['assets']>
}

/** What a page has beside the conversation itself. */
export interface ThreadOptions {
  /** Which page of it. */
  page?: string | undefined
  draft?: Draft
  /** Above it, below the title. */
  head?: Child
  /** Beside it, below what is planned. */
  aside?: Child
  /** Below it, above the form for the next comment; made when the remarks are there. */
  foot?: () => Child
  /** What stands below what these reviews say. */
  remarks?: (reviewIds: readonly number[]) => Remarks
  /** What reviews came to, in words. */
  verdicts?: ReadonlyMap<number, string>
}

/** An issue with all that was written and that happened, and the forms with which the viewer can go on. */
export async function showThread(
  context: Pick<Context, 'config' | 'clock' | 'db' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  options: ThreadOptions = {},
): Promise<Response> {
  const { page, draft, head, aside, verdicts } = options
  const { view, remarks: said } = await viewOf(context, visit, repo, issue, page, options.remarks)
  const preview = draft?.isPreview ? await renderText(context, visit, repo, draft.text) : undefined
  const remarks = await said?.show(view)
  if (isDue()) await breathe()
  const props = {
    visit,
    view,
    draft: draft?.text ?? '',
    error: draft?.error,
    preview,
    lostFiles: draft?.files,
    head,
    aside,
    foot: options.foot?.(),
    remarks,
    verdicts,
  }
  return answerPage(<ThreadPage {...props} />, draft?.status ?? 200)
}

async function viewOf(
  context: Pick<Context, 'config' | 'clock' | 'db' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  asked: string | undefined,
  remarksOf: ThreadOptions['remarks'],
): Promise<{ view: ThreadView; remarks: Remarks | undefined }> {
  const { viewer } = visit
  // Addresses of records lead to where this browser reaches the server.
  const here = { db: context.db, rootUrl: visit.root }
  const page = parsePage({ page: asked }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const user = viewer.user
  const mayWrite = user !== undefined && repo.row.archived_at === null
  const plans = mayWrite && isWriter(repo, issue)
  const found = context.db.askTogether({
    outline: outlineQuestion(issue.id, page),
    subscription: user ? subscriptionQuestion(issue.id, user.id) : nothingAsked,
    ...besideQuestions(context, visit, repo, issue),
    ...choiceQuestions(context, visit, repo, plans),
  })
  const rows = await withTexts(context.db, found.outline)
  const reviews = rows.flatMap(({ type, review_id }) => (type === 'review' && review_id !== null ? [review_id] : []))
  const remarks = reviews.length > 0 ? remarksOf?.(reviews) : undefined
  const beside = (remarks?.comments ?? []).map(({ id }) => id)
  const { issue: record, entries, assets } = presentThread(here, viewer, repo, issue, rows, beside)
  const view: ThreadView = {
    repo,
    issue: record,
    body: issue.body.trim() === '' ? undefined : await renderText(context, visit, repo, issue.body),
    entries,
    deleted: deletedAmong(listDeletedComments(context, { viewer, repo, issue }), rows, page),
    assets,
    versions: new Map(rows.map(({ id, content_version }) => [id, content_version])),
    texts: await renderAll(context, visit, repo, entries),
    reactions: listReactionsOfThread(context.db, issue.id, [...rows.map(({ id }) => id), ...beside], user?.id ?? 0),
    signs: context.config.ui.REACTIONS,
    page,
    total: countEntries(rows.length, page),
    rights: {
      comments: mayWrite && (issue.is_locked === 0 || isWriter(repo, issue)),
      edits: mayWrite && (isPoster(viewer, issue) || isWriter(repo, issue)),
      plans,
      administers: mayWrite && isRepoAdmin(repo),
      self: user?.name,
    },
    isSubscribed: found.subscription[0]?.is_on === 1,
    ...besideOf(context, visit, { repo, issue: record, mayWrite, plans }, found),
    choices: plans ? choicesOf(visit, repo, found) : undefined,
  }
  return { view, remarks }
}

/** Long texts are read one at a time. */
async function withTexts(db: Db, outline: readonly (Omit<CommentRow, 'body'> & { body: string | null })[]): Promise<CommentRow[]> {
  const rows: CommentRow[] = []
  for (const row of outline) {
    const body = row.body ?? findText(db, row.id)
    if (body !== undefined) rows.push({ ...row, body })
    if (isDue()) await breathe()
  }
  return rows
}

/** Those that stood on a page with these entries, or at an end of it that is the whole conversation's. */
function deletedAmong(deleted: readonly DeletedComment[], rows: readonly { created_at: number }[], { page, limit }: Page): DeletedComment[] {
  const from = page === 1 ? 0 : (rows[0]?.created_at ?? Number.POSITIVE_INFINITY)
  const to = rows.length < limit ? Number.POSITIVE_INFINITY : (rows.at(-1)?.created_at ?? 0)
  return deleted.filter(({ writtenAt }) => writtenAt >= from && writtenAt < to)
}

/** Whether there is another page is all that the pager needs to know. */
function countEntries(found: number, { offset, limit }: { offset: number; limit: number }): number {
  return offset + found + (found === limit ? 1 : 0)
}

async function renderAll(context: Pick<Context, 'services'>, visit: Visit, repo: RepoAccess, entries: readonly ThreadEntry[]): Promise<Map<number, Html>> {
  const texts = new Map<number, Html>()
  for (const entry of entries) {
    if (isDue()) await breathe()
    if (hasText(entry)) texts.set(entry.id, await renderText(context, visit, repo, entry.body, entry.id))
  }
  return texts
}

/** What somebody wrote, as it is shown. @param id of the comment, for what is on a page with others */
export async function renderText(context: Pick<Context, 'services'>, visit: Visit, repo: RepoAccess, text: string, id?: number): Promise<Html> {
  return raw(text === '' ? '' : await context.services.get(Documents).renderComment(visit, repo, text, id?.toString()))
}
