import { accessTo, atLeast, findKnownTeam, type RepoAccess, type Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentTeam } from '#people/teams/index.ts'
import { presentAttachment } from '#work/attachments/index.ts'
import {
  type CommentRow,
  gatherFacts,
  type Issue,
  type IssueRow,
  listIssuesById,
  mayRead,
  presentIssueLabel,
  presentIssues,
  reposOf,
  type ViewContext,
} from '#work/issues/index.ts'
import { listTimesById, presentTimes, spellTime } from '#work/times/index.ts'
import type { Comment } from './schema.ts'
import type { TimelineComment } from './timeline-schema.ts'
import { listEntriesById, listLiveIds } from './timeline-store.ts'
import { addressesOf, presentCommentsAnywhere } from './view.ts'

/** Issues elsewhere that entries are about, as far as the viewer may read them. */
type Others = Map<number, { repo: RepoAccess; issue: IssueRow }>

/** What happened, without the records that programs alone are told. */
export type ThreadEntry = Omit<TimelineComment, 'tracked_time' | 'ref_comment'>

/** An issue and its conversation as pages show them. */
export interface Thread {
  issue: Issue
  entries: ThreadEntry[]
  /** Files beside what was written, by comment. */
  assets: Map<number, Comment['assets']>
}

/** All records of a page together, found at once. @param beside ids of comments that stand elsewhere on it, whose files are found as well */
export function presentThread(
  context: ViewContext,
  viewer: Viewer,
  repo: RepoAccess,
  issue: IssueRow,
  rows: readonly CommentRow[],
  beside: readonly number[] = [],
): Thread {
  const { told, others } = toldTo(context, viewer, repo, rows)
  const comments = [...told.flatMap(({ id, type }) => (type === 'comment' ? id : [])), ...beside]
  const facts = gather(context, viewer, { repo, told, others }, { issues: [issue], comments })
  const [record] = presentIssues(context, viewer, [issue], () => repo, facts)
  return {
    issue: record as Issue,
    entries: ofLabels(told, facts).map((row) => present(context, { repo, issue }, row, facts)),
    assets: new Map(comments.map((id) => [id, (facts.assetsOf.comment.get(id) ?? []).map((asset) => presentAttachment(context, asset))])),
  }
}

/** The same for programs, entries alone. */
export function presentTimeline(context: ViewContext, viewer: Viewer, repo: RepoAccess, issue: IssueRow, rows: readonly CommentRow[]): TimelineComment[] {
  const { told, others } = toldTo(context, viewer, repo, rows)
  const facts = gather(context, viewer, { repo, told, others })
  const times = byId(presentTimes(context, viewer, listTimesById(context.db, idsIn(told, 'time_id'))))
  const comments = byId(presentReferring(context, viewer, idsIn(told, 'ref_comment_id'), others))
  return ofLabels(told, facts).map((row) => ({
    ...present(context, { repo, issue }, row, facts),
    tracked_time: of(times, row.time_id),
    ref_comment: row.ref_issue_id === null ? null : of(comments, row.ref_comment_id),
  }))
}

/**
 * The entries that the viewer may see: of references from what they may not read nothing is told, of commits only to who reads
 * the code of the repository that they are in, and what a dependency leads to only to who may read that. Entries go with the issue that they
 * are about, some of them a moment later. Entries about a deleted comment are left out.
 */
function toldTo(context: ViewContext, viewer: Viewer, repo: RepoAccess, rows: readonly CommentRow[]): { told: CommentRow[]; others: Others } {
  const named = listIssuesById(context.db, [...new Set(rows.flatMap((row) => [row.ref_issue_id ?? [], row.dependent_issue_id ?? []].flat()))])
  const there = new Set(named.map(({ id }) => id))
  const others = othersOf(context, viewer, named)
  const readable = readableCode(context, viewer, repo, rows)
  const comments = listLiveIds(context.db, idsIn(rows, 'ref_comment_id'))
  const told = rows.filter((row) => {
    if (row.ref_comment_id !== null && !comments.has(row.ref_comment_id)) return false
    if (row.type === 'commit_ref') return readable.has(row.ref_repo_id ?? repo.row.id)
    if (row.dependent_issue_id !== null) return there.has(row.dependent_issue_id)
    return row.ref_issue_id === null || others.has(row.ref_issue_id)
  })
  return { told, others }
}

/** Entries go with the label that they are about, and when the repository leaves its owner; some of them a moment later. */
function ofLabels(rows: readonly CommentRow[], { labels }: Gathered): CommentRow[] {
  return rows.filter(({ label_id }) => label_id === null || labels.has(label_id))
}

/** Of the repositories whose commits the entries are about, those whose code the viewer may read. */
function readableCode(context: ViewContext, viewer: Viewer, home: RepoAccess, rows: readonly CommentRow[]): Set<number> {
  const ids = new Set(rows.filter(({ type }) => type === 'commit_ref').map(({ ref_repo_id }) => ref_repo_id ?? home.row.id))
  const mayRead = (id: number) => {
    const found = id === home.row.id ? home : accessTo(context.db, viewer, id)
    return found !== undefined && atLeast(found.permission.of('code'), 'read')
  }
  return new Set([...ids].filter(mayRead))
}

function othersOf(context: ViewContext, viewer: Viewer, issues: readonly IssueRow[]): Others {
  const repos = reposOf(context, viewer, issues)
  const others: Others = new Map()
  for (const issue of issues) {
    const repo = repos.get(issue.repo_id)
    if (repo && mayRead(repo, issue)) others.set(issue.id, { repo, issue })
  }
  return others
}

type NamedId = 'label_id' | 'milestone_id' | 'old_milestone_id' | 'time_id' | 'ref_comment_id' | 'assignee_team_id'

function idsIn(rows: readonly CommentRow[], ...columns: NamedId[]): number[] {
  return [...new Set(rows.flatMap((row) => columns.flatMap((column) => row[column] ?? [])))]
}

function byId<T extends { id: number }>(items: readonly T[]): Map<number, T> {
  return new Map(items.map((item) => [item.id, item]))
}

function of<T>(known: ReadonlyMap<number, T>, id: number | null): T | null {
  return id === null ? null : (known.get(id) ?? null)
}

interface Telling {
  repo: RepoAccess
  told: readonly CommentRow[]
  others: Others
}

type Gathered = ReturnType<typeof gather>

/** @param beside what is presented with the entries */
function gather(context: ViewContext, viewer: Viewer, { repo, told, others }: Telling, beside: { issues: IssueRow[]; comments: number[] } = nothing) {
  const issues = [...others.values()].map(({ issue }) => issue)
  const facts = gatherFacts(context, viewer, {
    issues: [...beside.issues, ...issues],
    comments: beside.comments,
    people: told.flatMap((row) => [row.poster_id, row.assignee_id]),
    labels: idsIn(told, 'label_id'),
    milestones: idsIn(told, 'milestone_id', 'old_milestone_id'),
  })
  const labels = new Map([...facts.labels].filter(([, { org_id }]) => org_id === null || org_id === repo.owner.id))
  return {
    ...facts,
    labels,
    teams: new Map(idsIn(told, 'assignee_team_id').map((id) => [id, teamIn(context, viewer, id)])),
    issues: byId(presentIssues(context, viewer, issues, ({ id }) => others.get(id)?.repo as RepoAccess, facts)),
    labelRecords: new Map([...labels].map(([id, label]) => [id, presentIssueLabel(context, repo, label)])),
  }
}

const nothing = { issues: [], comments: [] }

/** Comments elsewhere that refer to the issue, where the viewer may read them. */
function presentReferring(context: ViewContext, viewer: Viewer, ids: readonly number[], others: Others) {
  const readable = listEntriesById(context.db, ids).filter(({ issue_id }) => others.has(issue_id))
  return presentCommentsAnywhere(context, viewer, readable, ({ issue_id }) => others.get(issue_id) as { repo: RepoAccess; issue: IssueRow })
}

/** Null for whoever may not know of it. */
function teamIn(context: ViewContext, viewer: Viewer, id: number): TimelineComment['assignee_team'] {
  const known = findKnownTeam(context.db, viewer, id)
  return known ? presentTeam(context, known.row) : null
}

/** Entries whose texts are names of branches. */
const ofRefs: ReadonlySet<string> = new Set(['change_issue_ref', 'change_target_branch', 'delete_branch'])

function present(context: ViewContext, { repo, issue }: { repo: RepoAccess; issue: IssueRow }, row: CommentRow, facts: Gathered): ThreadEntry {
  const [isTitle, isRef] = [row.type === 'change_title', ofRefs.has(row.type)]
  return {
    id: row.id,
    type: row.type === 'first_push' ? 'pull_push' : row.type,
    ...addressesOf(context, repo, issue, row.id),
    user: facts.personOf(row.poster_id),
    body: row.body.startsWith('|') && row.type !== 'comment' ? spellTime(Number(row.body.slice(1))) : row.body,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
    old_project_id: 0,
    project_id: 0,
    old_milestone: of(facts.milestones, row.old_milestone_id),
    milestone: of(facts.milestones, row.milestone_id),
    old_title: isTitle ? row.old_text : '',
    new_title: isTitle ? row.new_text : '',
    old_ref: isRef ? row.old_text : '',
    new_ref: isRef ? row.new_text : '',
    ref_issue: of(facts.issues, row.ref_issue_id),
    ref_action: row.ref_action || 'none',
    ref_commit_sha: row.commit_oid,
    review_id: row.review_id ?? 0,
    label: of(facts.labelRecords, row.label_id),
    assignee: row.assignee_id === null ? null : facts.personOf(row.assignee_id),
    assignee_team: of(facts.teams, row.assignee_team_id),
    removed_assignee: row.is_removal === 1,
    resolve_doer: null,
    dependent_issue: of(facts.issues, row.dependent_issue_id),
  }
}
