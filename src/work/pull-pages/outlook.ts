import { accessStore, atLeast, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { settingsOf } from '#repositories/repos/index.ts'
import type { Visit } from '#web/index.ts'
import { type IssueRow, isDraft, isPoster, isWriter } from '#work/issues/index.ts'
import {
  brokenRules,
  type Candidate,
  commonOf,
  findMergeFacts,
  type MergeStyle,
  mayDelete,
  mayRevert,
  mergeStatus,
  type PullRow,
  proposedTitles,
  requireMerger,
  requireRules,
  requireStyle,
  type ScheduledMerge,
  type UpdateStyle,
  updateStyles,
} from '#work/pulls/index.ts'
import { mayPass } from './merge-words.tsx'
import type { PullFacts } from './pull-facts.ts'

/** Whether the viewer could merge. */
export interface Outlook {
  /** Those that are possible, the repository's usual one first; none when something is in the way. */
  styles: readonly MergeStyle[]
  /** All that is known to be in the way. Beside styles: what only an administrator can pass over. */
  obstacles: readonly string[]
  /** Those in which it could be merged by the viewer once the obstacles have passed. */
  laterStyles: readonly MergeStyle[]
  /** The base has commits that the branch lacks, so it cannot be fast-forwarded. */
  isDiverged?: boolean
  /** Whether the branches contradict each other. */
  isContrary?: boolean
  /** The merge that waits for its time. */
  scheduled: ScheduledView | undefined
  deletesBranch: boolean
  /** What the commit of a merge says at first, by style; those that make none have none. */
  titles: Partial<Record<MergeStyle, string>>
  /** How the viewer can bring the branch up to its base, as far as is known before they try. */
  updates: readonly UpdateStyle[]
  /** The branch lacks what its base has, and the viewer, who is signed in, may not push to it. */
  isBehindOthers: boolean
  /** The branch is there, its changes are merged or given up, and the viewer may delete it. */
  mayDelete: boolean
  /** It is merged, and the viewer may make a branch that takes it back. */
  mayRevert: boolean
  isDraft: boolean
  mayEdit: boolean
}

interface ScheduledView {
  /** Who asked for it; undefined when the account is gone. */
  by: string | undefined
  style: MergeStyle
  mayCancel: boolean
}

export const styleNames: Partial<Record<MergeStyle, string>> = {
  merge: 'Create a merge commit',
  rebase: 'Rebase and merge',
  'rebase-merge': 'Rebase and create merge commit',
  squash: 'Squash and merge',
  'fast-forward-only': 'Fast-forward only',
}

/** Whether the viewer may change what a pull request says, and into which branch it is to be merged. */
export function mayEditPull({ viewer }: Visit, repo: RepoAccess, issue: IssueRow): boolean {
  return viewer.user !== undefined && repo.row.archived_at === null && (isPoster(viewer, issue) || isWriter(repo, issue))
}

/** What the pull request's page knows already. */
type Known = Pick<PullFacts, 'scheduled' | 'baseTip' | 'defaultTip' | 'known'>

/** Whether the viewer could merge it, how, and what is in the way; of a closed one, whether its branch could go. */
export async function outlookOf(context: Context, visit: Visit, candidate: Candidate, known: Known): Promise<Outlook> {
  const { viewer } = visit
  const { issue, pull, repo } = candidate
  const settings = settingsOf(repo.row)
  const outlook: Outlook = {
    ...{ styles: [], obstacles: [], laterStyles: [], titles: {}, scheduled: undefined, updates: [], isBehindOthers: false },
    ...{ mayDelete: false, mayRevert: false, isDraft: isDraft(issue.title), mayEdit: mayEditPull(visit, repo, issue) },
    deletesBranch: settings.default_delete_branch_after_merge,
  }
  const { user } = viewer
  if (issue.is_closed === 1) {
    const isDeletable = user !== undefined && isOwnBranch(pull) && mayDelete(context.db, repo, pull)
    return { ...outlook, mayDelete: isDeletable, mayRevert: mayRevert(viewer, repo, issue) }
  }
  outlook.scheduled = scheduledView(context, visit, repo, known.scheduled)
  outlook.updates = updateStyles(context, viewer, repo, pull)
  const inTheWay = reasonOf(() => requireMerger(context.db, viewer, candidate))
  if (inTheWay !== undefined) return blocked(context, outlook, candidate, known, inTheWay)
  const usual = settings.default_merge_style
  const objectionTo = (style: MergeStyle) => reasonOf(() => requireStyle(candidate, { style, headOid: undefined }))
  const styles = (Object.keys(styleNames) as MergeStyle[]).filter((style) => objectionTo(style) === undefined)
  const [first] = styles.toSorted((a, b) => Number(b === usual) - Number(a === usual))
  if (first === undefined) return blocked(context, outlook, candidate, known, objectionTo(usual))
  const { baseTip: base } = known
  const status = await standingOf(context, candidate, known)
  const unmergeable = unmergeables[status]
  if (base === undefined || unmergeable !== undefined)
    return { ...outlook, obstacles: unmergeable === undefined ? [] : [unmergeable], isContrary: status === 'conflict' }
  if (status === 'fast-forward') outlook.updates = []
  else outlook.isBehindOthers = user !== undefined && pull.flow === 0 && outlook.updates.length === 0
  const facts = await findMergeFacts(context, candidate, {
    isOutdated: status !== 'fast-forward',
    mergeBase: await commonOf(context, pull.repo_id, base, pull.head_oid),
  })
  const seen = { ...facts, known: known.known }
  const judge = (isForced: boolean) => reasonOf(() => requireRules(context.db, viewer, candidate, { style: first, isForced }, seen))
  const objection = judge(false)
  const obstacles = objection === undefined ? [] : [...new Set([objection, ...brokenRules(context.db, candidate, seen)])]
  const ordered = [first, ...styles.filter((style) => style !== first)]
  const passes = obstacles.length > 0 && obstacles.every(mayPass)
  if (passes && outlook.scheduled === undefined) outlook.laterStyles = ordered
  if (objection !== undefined && judge(true) !== undefined) return { ...outlook, obstacles }
  const titles = user === undefined ? {} : await proposedTitles(context, user, candidate, styles, known.defaultTip)
  return { ...outlook, styles: ordered, obstacles, titles, isDiverged: status !== 'fast-forward' }
}

/** What it is that it cannot be merged now, with what who may push to its branch can do meanwhile; looked at for them alone. */
async function blocked(context: Context, outlook: Outlook, candidate: Candidate, known: Known, obstacle: string | undefined): Promise<Outlook> {
  const obstacles = obstacle === undefined ? [] : [obstacle]
  if (outlook.updates.length === 0) return { ...outlook, obstacles }
  const status = await standingOf(context, candidate, known)
  return { ...outlook, obstacles, isContrary: status === 'conflict', updates: status === 'fast-forward' ? [] : outlook.updates }
}

type Standing = Awaited<ReturnType<typeof mergeStatus>> | 'baseless'

/** How merging it would end. */
async function standingOf(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, { pull, repo }: Candidate, { baseTip }: Known): Promise<Standing> {
  return baseTip === undefined ? 'baseless' : mergeStatus(context, repo.row, baseTip, pull.head_oid)
}

/** Why it cannot be merged, when it cannot. */
const unmergeables: Partial<Record<Standing, string>> = {
  conflict: 'This branch has conflicts that must be resolved.',
  'up-to-date': 'The base branch already contains these changes.',
  baseless: 'The base branch no longer exists.',
  failed: 'The server could not check whether this pull request can be merged. Reload the page to try again.',
}

/** The merge that waits, for whoever sees the pull request; as in the API, who asked for it and writers take it back. */
function scheduledView(
  { db }: Pick<Context, 'db'>,
  { viewer: { user } }: Visit,
  repo: RepoAccess,
  found: ScheduledMerge | undefined,
): ScheduledView | undefined {
  if (!found) return undefined
  const mayCancel = user !== undefined && repo.row.archived_at === null && (found.doer_id === user.id || atLeast(repo.permission.of('code'), 'write'))
  return { by: accessStore.findUserById(db, found.doer_id)?.name, style: found.style, mayCancel }
}

/** Not a fork's, whose owner decides. */
function isOwnBranch({ repo_id, head_repo_id, flow }: PullRow): boolean {
  return repo_id === head_repo_id && flow === 0
}

/** What somebody is told who tries. */
function reasonOf(attempt: () => unknown): string | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message
  }
}
