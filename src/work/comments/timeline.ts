import { accessTo, atLeast, findKnownTeam, type RepoAccess, type Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentTeam } from '#people/teams/index.ts'
import {
  type CommentRow,
  type IssueRow,
  listIssuesById,
  mayRead,
  peopleOf,
  presentIssueLabel,
  presentIssues,
  reposOf,
  type ViewContext,
} from '#work/issues/index.ts'
import { listMilestonesById, presentMilestone } from '#work/milestones/index.ts'
import { listTimesById, presentTimes, spellTime } from '#work/times/index.ts'
import type { TimelineComment } from './timeline-schema.ts'
import { listEntriesById, listLabelsById } from './timeline-store.ts'
import { addressesOf, presentCommentsAnywhere } from './view.ts'

/** Issues elsewhere that entries are about, as far as the viewer may read them. */
type Others = Map<number, { repo: RepoAccess; issue: IssueRow }>

/**
 * Entries as the viewer may see them: of references from what they may not read nothing is told, of commits only to who reads
 * the code of the repository that they are in, and
 * what a dependency leads to only to who may read that.
 */
export function presentTimeline(context: ViewContext, viewer: Viewer, repo: RepoAccess, issue: IssueRow, rows: readonly CommentRow[]): TimelineComment[] {
  const others = othersOf(context, viewer, rows)
  const readable = readableCode(context, viewer, repo, rows)
  const told = rows.filter((row) => {
    if (row.type === 'commit_ref') return readable.has(row.ref_repo_id ?? repo.row.id)
    return row.ref_issue_id === null || others.has(row.ref_issue_id)
  })
  const facts = gather(context, viewer, repo, told, others)
  return told.map((row) => present(context, { repo, issue }, row, facts))
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

function othersOf(context: ViewContext, viewer: Viewer, rows: readonly CommentRow[]): Others {
  const ids = [...new Set(rows.flatMap((row) => [row.ref_issue_id ?? [], row.dependent_issue_id ?? []].flat()))]
  const found = listIssuesById(context.db, ids)
  const repos = reposOf(context, viewer, found)
  const others: Others = new Map()
  for (const issue of found) {
    const repo = repos.get(issue.repo_id)
    if (repo && mayRead(repo, issue)) others.set(issue.id, { repo, issue })
  }
  return others
}

type Facts = ReturnType<typeof gather>

function gather(context: ViewContext, viewer: Viewer, repo: RepoAccess, rows: readonly CommentRow[], others: Others) {
  const ids = (pick: (row: CommentRow) => (number | null)[]) => [...new Set(rows.flatMap(pick).filter((id) => id !== null))]
  const byId = <T extends { id: number }, V>(items: readonly T[], view: (item: T) => V) => new Map(items.map((item) => [item.id, view(item)]))
  return {
    personOf: peopleOf(
      context,
      viewer,
      rows.flatMap((row) => [row.poster_id, row.assignee_id]),
    ),
    labels: byId(
      listLabelsById(
        context.db,
        ids((row) => [row.label_id]),
      ),
      (label) => presentIssueLabel(context, repo, label),
    ),
    milestones: byId(
      listMilestonesById(
        context.db,
        ids((row) => [row.milestone_id, row.old_milestone_id]),
      ),
      presentMilestone,
    ),
    times: byId(
      presentTimes(
        context,
        viewer,
        listTimesById(
          context.db,
          ids((row) => [row.time_id]),
        ),
      ),
      (time) => time,
    ),
    teams: new Map(ids((row) => [row.assignee_team_id]).map((id) => [id, teamIn(context, viewer, id)])),
    comments: byId(
      presentReferring(
        context,
        viewer,
        ids((row) => [row.ref_comment_id]),
        others,
      ),
      (comment) => comment,
    ),
    issues: byId(presentOthers(context, viewer, others), (issue) => issue),
  }
}

function presentOthers(context: ViewContext, viewer: Viewer, others: Others) {
  const issues = [...others.values()].map(({ issue }) => issue)
  return presentIssues(context, viewer, issues, ({ id }) => others.get(id)?.repo as RepoAccess)
}

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

function present(context: ViewContext, { repo, issue }: { repo: RepoAccess; issue: IssueRow }, row: CommentRow, facts: Facts): TimelineComment {
  const of = <T>(known: Map<number, T>, id: number | null): T | null => (id === null ? null : (known.get(id) ?? null))
  const [isTitle, isRef] = [row.type === 'change_title', ofRefs.has(row.type)]
  return {
    id: row.id,
    type: row.type,
    ...addressesOf(context, repo, issue, row.id),
    user: facts.personOf(row.poster_id),
    body: row.body.startsWith('|') && row.type !== 'comment' ? spellTime(Number(row.body.slice(1))) : row.body,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
    old_project_id: 0,
    project_id: 0,
    old_milestone: of(facts.milestones, row.old_milestone_id),
    milestone: of(facts.milestones, row.milestone_id),
    tracked_time: of(facts.times, row.time_id),
    old_title: isTitle ? row.old_text : '',
    new_title: isTitle ? row.new_text : '',
    old_ref: isRef ? row.old_text : '',
    new_ref: isRef ? row.new_text : '',
    ref_issue: of(facts.issues, row.ref_issue_id),
    ref_comment: row.ref_issue_id === null ? null : of(facts.comments, row.ref_comment_id),
    ref_action: row.ref_action,
    ref_commit_sha: row.commit_oid,
    review_id: row.review_id ?? 0,
    label: of(facts.labels, row.label_id),
    assignee: row.assignee_id === null ? null : facts.personOf(row.assignee_id),
    assignee_team: of(facts.teams, row.assignee_team_id),
    removed_assignee: row.is_removal === 1,
    resolve_doer: null,
    dependent_issue: of(facts.issues, row.dependent_issue_id),
  }
}
