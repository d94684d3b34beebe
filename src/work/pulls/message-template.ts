import { accessStore, anonymous, type UserRow } from '#access/index.ts'
import { Recent } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { gitIdentity } from '#people/users/index.ts'
import { findRef } from '#repositories/refs/index.ts'
import { type IssueRow, issueHtmlUrl, referencesIn } from '#work/issues/index.ts'
import { listOfficial } from '#work/reviews/index.ts'
import type { Candidate } from './merge-rules.ts'
import type { MergeStyle } from './merge-schema.ts'

/** Gitea's `DEFAULT_MERGE_MESSAGE_SIZE`. */
const MAX_BYTES = 5 * 1024

/** Gitea's `DEFAULT_MERGE_MESSAGE_MAX_APPROVERS`. */
const MAX_APPROVERS = 10

/** By the commit that they are in; '' where there is none. */
class Templates extends Recent<string> {
  constructor() {
    super(1_000_000, (text) => 100 + text.length)
  }
}

/** What a repository wants merges of a style to say: the first line, and the rest. */
export interface MessageDraft {
  title: string
  body: string
}

/**
 * The message that the default branch has a template for, in `.gitea/default_merge_message/MERGE_TEMPLATE.md` and the like, with Gitea's
 * variables filled in as `$Name` or `${Name}`; undefined when there is none. @param more variables of this style alone
 * @param tip as `templateTip` tells, for who asks for several
 */
export async function draftMessage(
  context: Context,
  doer: UserRow,
  candidate: Candidate,
  style: MergeStyle,
  more: Record<string, string> = {},
  tip = templateTip(context, candidate),
): Promise<MessageDraft | undefined> {
  const template = await readTemplate(context, candidate.repo.row, style, tip)
  if (template === undefined) return undefined
  const variables = { ...variablesOf(context, doer, candidate), ...more }
  // What is filled in is text, and not looked at for variables again.
  const text = template.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => variables[braced ?? bare ?? ''] ?? '')
  const [title = '', ...rest] = text.trim().split('\n')
  return { title: title.trim(), body: rest.join('\n').trim() }
}

/** Where templates are; undefined where there is no default branch. */
export function templateTip({ db }: Pick<Context, 'db'>, { repo: { row } }: Pick<Candidate, 'repo'>): Oid | undefined {
  return findRef(db, row.id, HEADS + row.default_branch)?.oid
}

async function readTemplate(
  context: Pick<Context, 'git' | 'services'>,
  repo: { id: number },
  style: MergeStyle,
  tip: Oid | undefined,
): Promise<string | undefined> {
  if (tip === undefined) return undefined
  const found = await context.services.get(Templates).answer(`${repo.id} ${tip} ${style}`, async () => (await readFrom(context, repo, style, tip)) ?? '')
  return found === '' ? undefined : found
}

async function readFrom(context: Pick<Context, 'git'>, repo: { id: number }, style: MergeStyle, tip: Oid): Promise<string | undefined> {
  const { tree } = await context.git.look('links', repo.id, { oid: tip })
  const path = `.gitea/default_merge_message/${style.toUpperCase()}_TEMPLATE.md`
  const found = await context.git.run('openPath', repo.id, { tree, path, maxBytes: MAX_BYTES })
  return found?.data === undefined || found.size > MAX_BYTES ? undefined : Buffer.from(found.data).toString('utf8')
}

function variablesOf(context: Context, doer: UserRow, { issue, pull, repo }: Candidate): Record<string, string> {
  const { db } = context
  const home = pull.head_repo_id === null ? undefined : accessStore.findRepoById(db, pull.head_repo_id)
  const homeOwner = home && accessStore.findUserById(db, home.owner_id)
  const poster = issue.poster_id === null ? undefined : accessStore.findUserById(db, issue.poster_id)
  const references = referencesIn(db, { context, doer, elsewhere: [{ ...anonymous, user: doer }] }, repo.row.id, `${issue.title}\n${issue.body}`)
  const closing = references.filter(({ action }) => action === 'closes').map(({ target }) => nameOf(db, target, repo.row.id))
  return {
    BaseRepoOwnerName: repo.owner.name,
    BaseRepoName: repo.row.name,
    BaseBranch: pull.base_branch,
    HeadRepoOwnerName: homeOwner?.name ?? '',
    HeadRepoName: home?.name ?? '',
    HeadBranch: pull.head_branch,
    PullRequestTitle: issue.title,
    PullRequestDescription: issue.body,
    PullRequestPosterName: poster?.name ?? 'Ghost',
    PullRequestIndex: String(issue.number),
    PullRequestReference: `#${issue.number}`,
    ReviewedOn: `Reviewed-on: ${issueHtmlUrl(context, repo, issue)}`,
    ReviewedBy: approversOf(context, issue),
    ClosingIssues: closing.map((name) => `close ${name}`).join(', '),
  }
}

/** A trailer for each whose approval counts, in the order they gave it. */
function approversOf(context: Pick<Context, 'db' | 'clock' | 'rootUrl'>, issue: IssueRow): string {
  const reviewers = listOfficial(context.db, issue.id, 'APPROVED').map(({ reviewer_id: id }) =>
    id === null ? undefined : accessStore.findUserById(context.db, id),
  )
  const trailers = new Set(
    reviewers
      .filter((one) => one !== undefined)
      .map((one) => gitIdentity(context, one))
      .map(({ name, email }) => `Reviewed-by: ${name} <${email}>`),
  )
  return [...trailers].slice(0, MAX_APPROVERS).join('\n')
}

function nameOf(db: Db, target: IssueRow, repoId: number): string {
  const repo = target.repo_id === repoId ? undefined : accessStore.findRepoById(db, target.repo_id)
  const owner = repo && accessStore.findUserById(db, repo.owner_id)
  return `${repo && owner ? `${owner.name}/${repo.name}` : ''}#${target.number}`
}
