import { atLeast, type RepoAccess } from '#access/index.ts'
import { type ChangesQuery, CommitList, showChanges } from '#code/commits/index.ts'
import { findCompared, listCompared, parseComparison } from '#code/compare/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import { HEADS } from '#git/refs/names.ts'
import { findRef } from '#repositories/refs/index.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import { answerPage, Choice, countText, type Html, mendable, RepoFrame, SubmitButton, seeOther, Trouble, type Visit } from '#web/index.ts'
import { readPullTemplate } from '#work/issue-templates/index.ts'
import { asDraft } from '#work/issues/index.ts'
import { createPull, findOpen, mayOpenBetween } from '#work/pulls/index.ts'
import { asPosted, FileField, TextField, type TextForm, textWithFiles, titleIn, withTextForm } from '#work/threads/index.ts'
import { type ComparedEnds, EndPickers, OtherWays, readEnds } from './compare-ends.tsx'
import { CompareStart, pushedBefore } from './compare-start.tsx'

/** Commits that are listed. */
const MAX_COMMITS = 100
/** A list of more commits is folded. */
const MANY_COMMITS = 10

interface Draft {
  title: string
  body: string
  /** Whether it is to be a draft. */
  isDraft?: boolean
  /** Whether who may merge may push to the branch. */
  allowsEdits?: boolean
  /** Names of the files that came with it. */
  files?: readonly string[]
  error?: string
  status?: number
}

interface Changes {
  total: number
  commits: readonly CommitDetails[]
  diff: Html
}

/** What one branch has over another, and a form that asks for it to be merged. @param text `base...head`; empty at first */
export async function showCompare(
  context: Context,
  visit: Visit,
  repo: RepoAccess,
  text: string,
  { query = {}, draft }: { query?: ChangesQuery; draft?: Draft } = {},
): Promise<Response> {
  const ends = readEnds(context, visit, repo, text)
  const changes = text === '' ? undefined : await readChanges(context, visit, repo, text, query)
  if (changes instanceof Response) return changes
  const start = text === '' ? <CompareStart visit={visit} repo={repo} ends={ends} pushed={pushedBefore(context, visit, repo)} /> : undefined
  const asking = changes && changes.total > 0 ? askingFor(context, visit, repo, ends) : undefined
  const shown = draft ?? (asking?.isOpen === false ? await suggest(context, repo, ends, changes) : { title: '', body: '' })
  const page = <ComparePage visit={visit} repo={repo} ends={ends} changes={changes} text={text} draft={shown} asking={asking} start={start} />
  return answerPage(page, draft?.status ?? 200, visit.unindexed)
}

/** Whether a pull request can be opened: between branches alone, once, and not by strangers to both repositories. */
type Asking = { isOpen: true; number: number; title: string } | { isOpen: false; isStranger: boolean }

function askingFor({ db }: Pick<Context, 'db'>, { viewer }: Visit, repo: RepoAccess, { base, head, home }: ComparedEnds): Asking | undefined {
  const { row, permission } = repo
  if (!atLeast(permission.of('pulls'), 'read')) return undefined
  const branch = home.row.id === row.id ? head : head.slice(head.indexOf(':') + 1)
  if (!findRef(db, row.id, HEADS + base) || !findRef(db, home.row.id, HEADS + branch)) return undefined
  const open = findOpen(db, { repo_id: row.id, base_branch: base, head_repo_id: home.row.id, head_branch: branch, flow: 0 })
  if (open) return { isOpen: true, number: open.number, title: open.title }
  if (viewer.user === undefined || row.archived_at !== null || (home.row.id === row.id && branch === base)) return undefined
  return { isOpen: false, isStranger: !mayOpenBetween(db, viewer.user, repo, home) }
}

async function readChanges(context: Context, visit: Visit, repo: RepoAccess, text: string, query: ChangesQuery): Promise<Changes | Response> {
  const { viewer } = visit
  const { total, commits } = await listCompared(context, viewer, repo, text, { query: { stat: 'false', files: 'false' }, limit: MAX_COMMITS })
  const { where, from, to, home } = await findCompared(context, viewer, repo, text)
  const diff = await showChanges(context, visit, { ends: { where, from, to }, old: { repo, commit: from }, now: { repo: home, commit: to }, query })
  return diff instanceof Response ? diff : { total, commits, diff }
}

/** A single commit says best what it is about; of several, the branch does. What the repository asks everybody for comes below. */
async function suggest(context: Pick<Context, 'db' | 'git'>, repo: RepoAccess, { head, home }: ComparedEnds, changes: Changes | undefined): Promise<Draft> {
  const [only] = changes?.total === 1 ? changes.commits : []
  const [title = titleFor(head, home.row.id === repo.row.id), ...body] = only?.commit.message.trim().split('\n') ?? []
  const parts = [body.join('\n').trim(), await readPullTemplate(context, repo.row)]
  const allowsEdits = settingsOf(repo.row).default_allow_maintainer_edit
  return { title: title.slice(0, 255), body: parts.filter((part) => part !== '').join('\n\n'), allowsEdits }
}

/** `topic/quick-start` as people would say it. */
function titleFor(head: string, isHere: boolean): string {
  const branch = isHere ? head : head.slice(head.indexOf(':') + 1)
  const words = branch.replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Nothing that was typed is lost when it is not taken. */
export function openPull(context: Context, visit: Visit, repo: RepoAccess, text: string, request: Request): Promise<Response> {
  return withTextForm(context, request, (form) => openBy(context, visit, repo, text, form))
}

async function openBy(context: Context, visit: Visit, repo: RepoAccess, text: string, form: TextForm): Promise<Response> {
  const { base, head } = parseComparison(text, repo.row.default_branch)
  const isDraft = form.of('draft') === 'true'
  const owner = [head.owner, head.repo].filter((part) => part !== undefined).join('/')
  try {
    const title = isDraft ? asDraft(titleIn(form)) : titleIn(form)
    const { body, keep } = textWithFiles(context, visit.viewer, form)
    const edits = form.of('allow_maintainer_edit')
    const between = { base: base.ref, head: owner === '' ? head.ref : `${owner}:${head.ref}` }
    const asked = { title, body, ...between, ...(edits === '' ? {} : { allow_maintainer_edit: edits === 'true' }) }
    const make = () => createPull(context, visit.viewer, repo, asked, keep)
    const { number } = await asPosted(context, visit.viewer, ['pull', repo.row.id, text], form, make)
    return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${number}`)
  } catch (error) {
    const problem = mendable(error)
    const files = form.files.map(({ name }) => name)
    const draft = { title: form.of('title'), body: form.of('body'), isDraft, files, error: problem.message, status: problem.status }
    return showCompare(context, visit, repo, text, { draft })
  }
}

interface Props {
  visit: Visit
  repo: RepoAccess
  ends: ComparedEnds
  changes: Changes | undefined
  text: string
  draft: Draft
  asking: Asking | undefined
  /** What can be compared, where nothing is yet. */
  start: Html | undefined
}

function ComparePage({ visit, repo, ends, changes, text, draft, asking, start }: Props) {
  const { owner, row } = repo
  return (
    <RepoFrame visit={visit} repo={repo} tab="pulls" title={`Compare ${ends.base} and ${ends.head}`}>
      <h2>Compare branches</h2>
      <EndPickers visit={visit} repo={repo} ends={ends} />
      {start}
      {text !== '' && <OtherWays visit={visit} repo={repo} ends={ends} />}
      {changes && <p>{changes.total === 0 ? "There isn't anything to compare." : countText(changes.total, 'commit')}</p>}
      {asking?.isOpen && (
        <p class="written">
          {'A pull request for these branches is already open: '}
          <a href={visit.to`/${owner.name}/${row.name}/pulls/${asking.number}`}>{`#${asking.number} ${asking.title}`}</a>
        </p>
      )}
      {asking?.isOpen === false && asking.isStranger && (
        <p class="written">
          {`Only collaborators can open a pull request from a branch of ${ends.home.owner.name}/${ends.home.row.name}. `}
          <a href={visit.to`/${owner.name}/${row.name}/fork`}>Fork the repository</a> and push your changes to the fork instead.
        </p>
      )}
      {((asking?.isOpen === false && !asking.isStranger) || draft.error !== undefined) && (
        <PullForm address={visit.to`/${owner.name}/${row.name}/compare/${text}`} draft={draft} isFromFork={ends.home.row.id !== row.id} />
      )}
      {changes && changes.total > 0 && (
        <details open={changes.total <= MANY_COMMITS}>
          <summary>Commits</summary>
          <CommitList visit={visit} repo={ends.home} commits={changes.commits} />
        </details>
      )}
      {changes?.diff}
    </RepoFrame>
  )
}

/** @param isFromFork whose branch others could not push to */
function PullForm({ address, draft, isFromFork }: { address: string; draft: Draft; isFromFork: boolean }) {
  return (
    <details class="written" open>
      <summary>Open a pull request</summary>
      <form class="fields" method="post" action={address} enctype="multipart/form-data">
        <Trouble text={draft.error} />
        <label>
          Title
          <input name="title" value={draft.title} maxlength="255" dir="auto" required />
        </label>
        <TextField text={draft.body} label="Description" />
        <FileField lost={draft.files} />
        <label class="choice">
          <input type="checkbox" name="draft" value="true" checked={draft.isDraft} /> Create as draft
        </label>
        {isFromFork && <input type="hidden" name="allow_maintainer_edit" value="false" />}
        {isFromFork && <Choice name="allow_maintainer_edit" label="Allow edits from maintainers" isOn={draft.allowsEdits !== false} />}
        <SubmitButton>Create pull request</SubmitButton>
      </form>
    </details>
  )
}
