import type { RepoAccess } from '#access/index.ts'
import { type DetailsQuery, diffLimits, type PatchForm, parseDetails, serveDiff, servePatches } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { FileDiff } from '#git/diff/diff-files.ts'
import type { IgnoredSpace } from '#git/diff/lines.ts'
import type { Peer } from '#kernel/answers/paced-stream.ts'
import { encodePath } from '#kernel/http.ts'
import type { Page } from '#kernel/page.ts'
import { repoApiUrl, repoUrl } from '#repositories/repos/index.ts'
import { mergeBaseOf } from './facts.ts'
import type { ChangedFile } from './schema.ts'
import type { PullRow } from './store.ts'

/** The pull request's changes as text: one diff, or a mail for each commit. */
export async function serveText(
  context: Context,
  pull: PullRow,
  kind: PatchForm,
  form: { peer: Peer; binary: boolean; whitespace?: string },
): Promise<Response> {
  const from = await mergeBaseOf(context, pull)
  if (kind === 'patch') return servePatches(context, pull.repo_id, from === undefined ? [] : [from], pull.head_oid, form.peer)
  return serveDiff(context, pull.repo_id, from, pull.head_oid, { peer: form.peer, binary: form.binary, ignoredSpace: parseBlanks(form.whitespace) })
}

/** One page of its commits, newest first. */
export async function listPullCommits(
  context: Pick<Context, 'db' | 'git' | 'services'>,
  pull: PullRow,
  page: Page,
  query: DetailsQuery,
): Promise<{ commits: CommitDetails[]; total: number }> {
  const from = await mergeBaseOf(context, pull)
  const range = { include: [pull.head_oid], exclude: from === undefined ? [] : [from] }
  const total = await context.git.run('countCommits', pull.repo_id, { range })
  if (page.offset >= total) return { commits: [], total }
  return { total, commits: await context.git.run('listCommits', pull.repo_id, { range, skip: page.offset, limit: page.limit, details: parseDetails(query) }) }
}

/** One page of the files that it changes. `skip-to` is the path to begin with; `whitespace` which blanks make no difference. */
export async function listPullFiles(
  context: Context,
  repo: RepoAccess,
  pull: PullRow,
  page: Page,
  { 'skip-to': skipTo, whitespace }: { 'skip-to'?: string; whitespace?: string },
): Promise<{ files: ChangedFile[]; total: number }> {
  const from = await mergeBaseOf(context, pull)
  const limits = { ...diffLimits(context), ignoredSpace: parseBlanks(whitespace) }
  if (skipTo) return listFrom(context, repo, pull, page, { skipTo, limits })
  const found = await context.git.run('diffFiles', pull.repo_id, {
    from,
    to: pull.head_oid,
    options: { ...limits, skip: page.offset, limit: page.limit },
  })
  return { files: found.files.map((file) => presentFile(context, repo, pull, file)), total: found.count }
}

/** Gitea's words for which blanks make no difference; any other: all do. */
const blanks: Readonly<Record<string, IgnoredSpace>> = { 'ignore-all': 'all', 'ignore-change': 'change', 'ignore-eol': 'at-eol' }

function parseBlanks(whitespace = ''): IgnoredSpace | undefined {
  return Object.hasOwn(blanks, whitespace) ? blanks[whitespace] : undefined
}

async function listFrom(
  context: Context,
  repo: RepoAccess,
  pull: PullRow,
  page: Page,
  { skipTo, limits }: { skipTo: string; limits: ReturnType<typeof diffLimits> & { ignoredSpace: IgnoredSpace | undefined } },
): Promise<{ files: ChangedFile[]; total: number }> {
  const ends = { from: await mergeBaseOf(context, pull), to: pull.head_oid }
  const names = await context.git.run('diffFiles', pull.repo_id, { ...ends, options: { ...limits, detail: 'names' } })
  const at = Math.max(
    0,
    names.files.findIndex(({ path }) => path === skipTo),
  )
  const found = await context.git.run('diffFiles', pull.repo_id, { ...ends, options: { ...limits, skip: at + page.offset, limit: page.limit } })
  return { files: found.files.map((file) => presentFile(context, repo, pull, file)), total: found.count - at }
}

const statuses = { added: 'added', deleted: 'deleted', modified: 'changed', 'type-changed': 'changed', renamed: 'renamed', copied: 'copied' } as const

function presentFile(context: Pick<Context, 'rootUrl'>, { owner, row }: RepoAccess, pull: PullRow, file: FileDiff): ChangedFile {
  const path = encodePath(file.path)
  const oid = pull.head_oid
  return {
    filename: file.path,
    ...(file.status === 'renamed' && file.oldPath !== undefined ? { previous_filename: file.oldPath } : {}),
    status: statuses[file.status],
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    html_url: `${repoUrl(context, owner, row)}/src/commit/${oid}/${path}`,
    contents_url: `${repoApiUrl(context, owner, row)}/contents/${path}?ref=${oid}`,
    raw_url: `${repoUrl(context, owner, row)}/raw/commit/${oid}/${path}`,
  }
}
