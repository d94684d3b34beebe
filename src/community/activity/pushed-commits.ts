import { accessStore, type RepoRow, type UserRow } from '#access/index.ts'
import { getCommitRevision, identTime } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import { GitError } from '#git/errors.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { NotFound, Problem } from '#kernel/errors.ts'
import { encodePath } from '#kernel/http.ts'
import { findRef, listRefLines } from '#repositories/refs/index.ts'
import { prepareWalks } from '#repositories/upkeep/index.ts'
import type { ActivityRow } from './store.ts'

/** Gitea's `ui.FEED_MAX_COMMIT_NUM`: so many commits of a push are told of, the newest. */
const MAX_SHOWN = 5
/** Of a new branch no more are counted. */
const COUNTED = 10
/** A new branch brings what other branches have not; among more than these nobody looks. */
const OTHER_BRANCHES = 1000
/** What is longer is left out whole, as in Gitea. */
const MAX_CONTENT = 65_535

/**
 * A push as the `content` of an activity has it, in JSON. Source: Gitea's `modules/repository/commits.go`.
 *
 * It goes on naming commits that a forced push has left behind since. A feed is a record of what was told when it happened: hooks and feed
 * readers have had the same ids and messages, and as long as upkeep keeps the objects (`git.GC_GRACE_HOURS`), whoever has an id opens them
 * with it. To leave them out later would look like a secret taken back, and be none; one that was pushed has to be changed where it is used.
 * The reflog is another matter, and for writers alone: it leads back to what pushes left behind on every branch, be it told of or not, and is
 * there for those who can go back to it.
 */
interface PushCommits {
  Commits: PushCommit[] | null
  HeadCommit: PushCommit | null
  /** From the root on, without a slash before it; empty when there is nothing to compare with. */
  CompareURL: string
  /** How many commits were pushed; `Commits` may be fewer. */
  Len: number
}

interface PushCommit {
  Sha1: string
  Message: string
  AuthorEmail: string
  AuthorName: string
  CommitterEmail: string
  CommitterName: string
  Timestamp: string
}

export const nothingPushed = JSON.stringify({ Commits: null, HeadCommit: null, CompareURL: '', Len: 0 } satisfies PushCommits)

const details = { files: false, stat: false }

/** What pushes to a repository brought, read in a worker; undefined for those whose commits are no longer there, which may have been pushed away since. */
export async function describePushes(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>,
  repoId: number,
  pushes: readonly ActivityRow[],
): Promise<(string | undefined)[]> {
  const repo = accessStore.findRepoById(context.db, repoId)
  if (!repo) return []
  const branches = pushes.filter((push) => !push.ref_name.startsWith(TAGS))
  const lists = await listCommits(context, repo, branches)
  return Promise.all(
    pushes.map((push) => unlessGone(() => (push.ref_name.startsWith(TAGS) ? readTag(context, repo, push) : readBranch(context, repo, push, lists.get(push))))),
  )
}

async function unlessGone(read: () => Promise<PushCommits>): Promise<string | undefined> {
  try {
    const content = JSON.stringify(await read())
    return content.length > MAX_CONTENT ? '{}' : content
  } catch (error) {
    if (error instanceof GitError || error instanceof Problem) return undefined
    throw error
  }
}

/** The newest commits of each, as far as they are still there. */
async function listCommits(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>,
  repo: RepoRow,
  pushes: readonly ActivityRow[],
): Promise<Map<ActivityRow, CommitDetails[]>> {
  if (pushes.length === 0) return new Map()
  const pushed = pushes.map(({ ref_name: name, before_oid: before, after_oid: after }) => ({
    name,
    before: before === SHA1.zero ? undefined : (before as Oid),
    after: after as Oid,
  }))
  const isNew = pushed.some(({ before }) => before === undefined)
  if (isNew) await prepareWalks(context, repo)
  const others = isNew ? listOthers(context, repo) : ''
  const lists = await context.git.run('listPushed', repo.id, { pushed, others, limit: COUNTED })
  return new Map(pushes.flatMap((push, i) => (lists[i] ? [[push, lists[i]] as const] : [])))
}

/** Branches, the default one first of all; as lines. */
function listOthers({ db }: Pick<Context, 'db'>, repo: RepoRow): string {
  const main = findRef(db, repo.id, HEADS + repo.default_branch)
  return `${main ? `${main.oid} ${main.name}\n` : ''}${listRefLines(db, repo.id, HEADS, OTHER_BRANCHES)}`
}

async function readTag(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, { after_oid: after }: ActivityRow): Promise<PushCommits> {
  const { oid } = await getCommitRevision(context, repo, after)
  const head = await context.git.run('readCommit', repo.id, { oid, details })
  return { Commits: null, HeadCommit: present(head), CompareURL: compareUrl(context, repo, SHA1.zero, after), Len: 0 }
}

async function readBranch(
  context: Pick<Context, 'db' | 'git'>,
  repo: RepoRow,
  push: ActivityRow,
  commits: readonly CommitDetails[] | undefined,
): Promise<PushCommits> {
  if (commits === undefined) throw new NotFound()
  const [before, after] = [push.before_oid as Oid, push.after_oid as Oid]
  const isNew = before === SHA1.zero
  const isAll = isNew || commits.length < COUNTED
  const head = commits[0] ?? (await context.git.run('readCommit', repo.id, { oid: after, details }))
  const base = isNew ? baseOf(repo, push.ref_name, commits) : before
  return {
    Commits: commits.slice(0, MAX_SHOWN).map(present),
    HeadCommit: present(head),
    CompareURL: base === undefined ? '' : compareUrl(context, repo, base, after),
    Len: isAll ? commits.length : await context.git.run('countCommits', repo.id, { range: { include: [after], exclude: [before] } }),
  }
}

/** What a new branch is compared with: where it left what was known, else the default branch; a first branch with nothing. */
function baseOf(repo: RepoRow, refName: string, commits: readonly CommitDetails[]): string | undefined {
  return commits.at(-1)?.commit.parents[0] ?? (refName === HEADS + repo.default_branch ? undefined : repo.default_branch)
}

function compareUrl({ db }: Pick<Context, 'db'>, repo: RepoRow, before: string, after: string): string {
  const owner = accessStore.findUserById(db, repo.owner_id) as UserRow
  const base = encodePath(before)
  return `${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}/compare/${base}...${after}`
}

function present({ oid, commit: { author, committer, message } }: CommitDetails): PushCommit {
  return {
    Sha1: oid,
    Message: message,
    AuthorEmail: author.email,
    AuthorName: author.name,
    CommitterEmail: committer.email,
    CommitterName: committer.name,
    Timestamp: identTime(author),
  }
}
