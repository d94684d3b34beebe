import { accessToAll, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Answers, nothingAsked, type Questions } from '#kernel/database/questions.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import type { Visit } from '#web/index.ts'
import { type DependencyRow, dependenciesQuestion, type Issue, type IssueRow, mayRead } from '#work/issues/index.ts'
import { isTracking, mayTrackUnassigned, spentQuestion, watchQuestion } from '#work/times/index.ts'
import type { Dependencies, OtherIssue, ThreadView } from './view.ts'

interface Beside {
  dependencies: DependencyRow
  spent: { name: string; seconds: number }
  watch: { started_at: number }
}

const hasDependencies = ({ row }: RepoAccess) => settingsOf(row).internal_tracker.enable_issue_dependencies

/** What is asked of an issue's dependencies, and of the work on it. */
export function besideQuestions(context: Pick<Context, 'config'>, { viewer }: Visit, repo: RepoAccess, { id }: IssueRow): Questions<Beside> {
  const isTracked = isTracking(context, repo)
  return {
    dependencies: hasDependencies(repo) ? dependenciesQuestion(id) : nothingAsked,
    spent: isTracked ? spentQuestion(id) : nothingAsked,
    watch: isTracked && viewer.user ? watchQuestion(id, viewer.user.id) : nothingAsked,
  }
}

interface Known {
  repo: RepoAccess
  issue: Issue
  mayWrite: boolean
  /** Whether the viewer may plan the issue. */
  plans: boolean
}

export function besideOf(
  context: Pick<Context, 'config' | 'db'>,
  visit: Visit,
  known: Known,
  { dependencies, spent, watch }: Answers<Beside>,
): Pick<ThreadView, 'dependencies' | 'times'> {
  const { repo, issue, mayWrite, plans } = known
  const isAssigned = issue.assignees?.some(({ login }) => login === visit.viewer.user?.name) ?? false
  const mayTrack = mayWrite && (isAssigned || mayTrackUnassigned({ repo, issue: { is_pull: issue.pull_request ? 1 : 0 } }))
  return {
    dependencies: hasDependencies(repo) ? { ...seenOf(context, visit, repo, dependencies), mayChange: plans } : undefined,
    times: isTracking(context, repo) ? { spent, runningSince: watch[0]?.started_at, mayTrack } : undefined,
  }
}

/** Those that the viewer may read; what is in other repositories is looked up there. */
function seenOf({ db }: Pick<Context, 'db'>, { viewer }: Visit, repo: RepoAccess, rows: readonly DependencyRow[]): Omit<Dependencies, 'mayChange'> {
  const elsewhere = rows.filter((row) => row.repo_id !== repo.row.id)
  const homes = elsewhere.length === 0 ? new Map<number, RepoAccess>() : accessToAll(db, viewer, new Set(elsewhere.map((row) => row.repo_id)))
  const of = (way: DependencyRow['way']): OtherIssue[] =>
    rows.flatMap((row) => {
      const home = row.repo_id === repo.row.id ? repo : homes.get(row.repo_id)
      return row.way !== way || !home || !mayRead(home, row) ? [] : [presented(home, row)]
    })
  return { waits: of('waits'), blocks: of('blocks') }
}

function presented({ owner, row }: RepoAccess, { number, title, is_closed, is_pull }: DependencyRow): OtherIssue {
  return { owner: owner.name, repo: row.name, number, title, isClosed: is_closed === 1, isPull: is_pull === 1 }
}
