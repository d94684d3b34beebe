import type { RepoAccess } from '#access/index.ts'
import { countNewest } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { NotFound } from '#kernel/errors.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { baseOid, countChangesSoon, movesQuestion, type PullRow, pullQuestion, type StackedPull, stackAmong, stackQuestion } from '#work/pulls/index.ts'

type Parts = Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>

/** How much is behind each of a pull request's tabs; undefined where that is not known yet. */
export interface TabCounts {
  conversation: number
  commits: number | undefined
  files: number | undefined
  checks: number
  versions: number
}

/** What of it a page knows besides. */
interface Known {
  base: Oid | undefined
  /** How often it was pushed to since it was opened. */
  pushes: number
  /** How many checks there are of its newest commit. */
  checks?: number
}

interface PullWithTabs {
  pull: PullRow
  stack: StackedPull[]
  counts: TabCounts
}

/** A pull request with what the head of its pages shows. @throws NotFound when it is none, or gone */
export async function readTabs(context: Parts, repo: RepoAccess, issue: IssueRow): Promise<PullWithTabs> {
  const place = { issueId: issue.id, repoId: repo.row.id, defaultBranch: repo.row.default_branch }
  const found = context.db.askTogether({ pulls: pullQuestion(issue.id), stack: stackQuestion(place), moves: movesQuestion(issue.id) })
  const [pull] = found.pulls
  if (!pull) throw new NotFound()
  const base = pull.merge_base === null ? baseOid(context.db, pull) : undefined
  const counts = await countTabs(context, issue, pull, { base, pushes: found.moves[0]?.pushes ?? 0 })
  return { pull, stack: stackAmong(found.stack, pull), counts }
}

/** Counts that are columns, or kept: only the first page that shows new commits has them counted, off this thread, and does not wait for long. */
export async function countTabs(context: Parts, issue: IssueRow, pull: PullRow, known: Known): Promise<TabCounts> {
  const { commits, files } = await countChangesSoon(context, pull, known.base)
  return {
    conversation: issue.comment_count + pull.review_comment_count,
    commits,
    files,
    checks: known.checks ?? countNewest(context.db, pull.repo_id, pull.head_oid).reduce((sum, { n }) => sum + n, 0),
    // Where it is not known what it was opened with, the first version is that of the first push.
    versions: pull.first_oid === null ? Math.max(1, known.pushes) : known.pushes + 1,
  }
}
