import { atLeast, type RepoAccess } from '#access/index.ts'
import { type ChangesQuery, CommitList, showChanges } from '#code/commits/index.ts'
import { findCompared, listCompared, parseComparison } from '#code/compare/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import { HEADS } from '#git/refs/names.ts'
import { Problem } from '#kernel/errors.ts'
import { listBranches } from '#repositories/refs/index.ts'
import { answerPage, type Html, mendable, RepoFrame, SubmitButton, seeOther, Trouble, type Visit } from '#web/index.ts'
import { createPull } from '#work/pulls/index.ts'
import { TextField } from '#work/threads/index.ts'

/** Branches that the pickers offer, and commits that are listed. */
const MAX_BRANCHES = 200
const MAX_COMMITS = 100
/** A list of more commits is folded. */
const MANY_COMMITS = 10

interface Draft {
  title: string
  body: string
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
  const { base, head } = parseComparison(text, repo.row.default_branch)
  const branches = listBranches(context.db, repo.row.id, { limit: MAX_BRANCHES, offset: 0 }).map(({ name }) => name.slice(HEADS.length))
  const changes = text === '' ? undefined : await readChanges(context, visit, repo, text, query)
  if (changes instanceof Response) return changes
  const headName = [head.owner, head.repo].filter((part) => part !== undefined).join('/')
  const props = { base: base.ref, head: headName === '' ? head.ref : `${headName}:${head.ref}`, branches, changes, text }
  const start = draft ?? suggest(changes)
  return answerPage(<ComparePage visit={visit} repo={repo} {...props} draft={start} />, draft?.status ?? 200, visit.unindexed)
}

async function readChanges(context: Context, visit: Visit, repo: RepoAccess, text: string, query: ChangesQuery): Promise<Changes | Response> {
  const { viewer } = visit
  const { total, commits } = await listCompared(context, viewer, repo, text, { query: { stat: 'false', files: 'false' }, limit: MAX_COMMITS })
  const { where, from, to, home } = await findCompared(context, viewer, repo, text)
  const diff = await showChanges(context, visit, { ends: { where, from, to }, old: { repo, commit: from }, now: { repo: home, commit: to }, query })
  return diff instanceof Response ? diff : { total, commits, diff }
}

/** A single commit says best what it is about. */
function suggest(changes: Changes | undefined): Draft {
  const [only] = changes?.total === 1 ? changes.commits : []
  const [title = '', ...body] = only?.commit.message.trim().split('\n') ?? []
  return { title: title.slice(0, 255), body: body.join('\n').trim() }
}

/** Nothing that was typed is lost when it is not taken. */
export async function openPull(context: Context, visit: Visit, repo: RepoAccess, text: string, form: { title: string; body: string }): Promise<Response> {
  const { base, head } = parseComparison(text, repo.row.default_branch)
  const owner = [head.owner, head.repo].filter((part) => part !== undefined).join('/')
  try {
    if (form.title.trim() === '') throw new Problem(422, 'A title is needed.')
    const asked = { title: form.title, body: form.body, base: base.ref, head: owner === '' ? head.ref : `${owner}:${head.ref}` }
    const { number } = await createPull(context, visit.viewer, repo, asked)
    return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${number}`)
  } catch (error) {
    const problem = mendable(error)
    return showCompare(context, visit, repo, text, { draft: { ...form, error: problem.message, status: problem.status } })
  }
}

interface Props {
  visit: Visit
  repo: RepoAccess
  base: string
  head: string
  branches: readonly string[]
  changes: Changes | undefined
  text: string
  draft: Draft
}

/** The same two the other way round, or with what the base has changed as well. */
function OtherWays({ visit, repo: { owner, row }, base, head, text }: Pick<Props, 'visit' | 'repo' | 'base' | 'head' | 'text'>) {
  if (text === '') return null
  const { isDirect } = parseComparison(text, row.default_branch)
  const at = (between: string) => visit.to`/${owner.name}/${row.name}/compare/${between}`
  const dots = isDirect ? '..' : '...'
  return (
    <div class="buttons">
      {!head.includes(':') && <a href={at(`${head}${dots}${base}`)}>Swap them</a>}
      <nav class="switch" aria-label="What is compared">
        <a href={at(`${base}...${head}`)} aria-current={isDirect ? undefined : 'true'}>
          Since they parted
        </a>
        <a href={at(`${base}..${head}`)} aria-current={isDirect ? 'true' : undefined}>
          As they are
        </a>
      </nav>
    </div>
  )
}

function ComparePage({ visit, repo, base, head, branches, changes, text, draft }: Props) {
  const { owner, row } = repo
  const mayAsk = visit.viewer.user !== undefined && row.archived_at === null && atLeast(repo.permission.of('pulls'), 'read')
  return (
    <RepoFrame visit={visit} repo={repo} tab="pulls" title={`Compare ${base} and ${head}`}>
      <h2>Compare branches</h2>
      <form class="search" method="get" action={visit.to`/${owner.name}/${row.name}/compare`}>
        <label>
          Into <input name="base" value={base} list="branches" required />
        </label>
        <label>
          from <input name="head" value={head} list="branches" required />
        </label>
        <datalist id="branches">
          {branches.map((name) => (
            <option value={name} />
          ))}
        </datalist>
        <button type="submit">Compare</button>
      </form>
      <OtherWays visit={visit} repo={repo} base={base} head={head} text={text} />
      {changes && <p>{changes.total === 0 ? 'There is nothing to merge.' : `${changes.total} ${changes.total === 1 ? 'commit' : 'commits'}`}</p>}
      {changes && changes.total > 0 && mayAsk && (
        <details class="written" open={draft.error !== undefined}>
          <summary>Open a pull request</summary>
          <form class="fields" method="post" action={visit.to`/${owner.name}/${row.name}/compare/${text}`}>
            <Trouble text={draft.error} />
            <label>
              Title
              <input name="title" value={draft.title} maxlength="255" required />
            </label>
            <TextField text={draft.body} label="Text, in Markdown" />
            <SubmitButton>Open the pull request</SubmitButton>
          </form>
        </details>
      )}
      {changes && changes.total > 0 && (
        <details open={changes.total <= MANY_COMMITS}>
          <summary>Commits</summary>
          <CommitList visit={visit} repo={repo} commits={changes.commits} />
        </details>
      )}
      {changes?.diff}
    </RepoFrame>
  )
}
