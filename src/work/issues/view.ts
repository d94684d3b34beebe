import { accessStore, type RepoAccess, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { ghost, presentUser, type UserRecord } from '#people/users/index.ts'
import { type LabelRow, presentLabel } from '#repositories/labels/index.ts'
import { repoApiUrl, repoUrl } from '#repositories/repos/index.ts'
import { type AttachmentRow, type HolderKind, presentAttachment } from '#work/attachments/index.ts'
import { presentMilestone } from '#work/milestones/index.ts'
import { type Carried, listCarried } from './carried-store.ts'
import { isDraft } from './drafts.ts'
import type { Issue } from './schema.ts'
import type { IssueRow } from './store.ts'

/** What views need of the context. */
export type ViewContext = Pick<Context, 'db' | 'rootUrl'>

export type RepoPlace = Pick<RepoAccess, 'row' | 'owner'>

export function issueHtmlUrl(context: Pick<Context, 'rootUrl'>, { owner, row }: RepoPlace, issue: Pick<IssueRow, 'is_pull' | 'number'>): string {
  return `${repoUrl(context, owner, row)}/${issue.is_pull === 1 ? 'pulls' : 'issues'}/${issue.number}`
}

export function issueApiUrl(context: Pick<Context, 'rootUrl'>, { owner, row }: RepoPlace, { number }: Pick<IssueRow, 'number'>): string {
  return `${repoApiUrl(context, owner, row)}/issues/${number}`
}

export function presentIssue(context: ViewContext, viewer: Viewer, repo: RepoPlace, issue: IssueRow): Issue {
  return presentIssues(context, viewer, [issue], () => repo)[0] as Issue
}

/**
 * Issues that the viewer may read; each person, label and repository is presented once.
 * @param repoOf where an issue is
 * @param facts of them, where they were found together with others
 */
export function presentIssues(
  context: ViewContext,
  viewer: Viewer,
  rows: readonly IssueRow[],
  repoOf: (row: IssueRow) => RepoPlace,
  facts: Facts = gatherFacts(context, viewer, { issues: rows }),
): Issue[] {
  const placeOf = once(
    (row: IssueRow) => row.repo_id,
    (row) => describePlace(context, repoOf(row)),
  )
  return rows.map((row) => presentAlone(context, placeOf(row), row, facts))
}

/** `make`, called once for each key. */
function once<T, V>(keyOf: (item: T) => number, make: (item: T) => V): (item: T) => V {
  const made = new Map<number, V>()
  return (item) => {
    const key = keyOf(item)
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(item)
    made.set(key, value)
    return value
  }
}

/** A repository's addresses and names as its issues' records have them. */
function describePlace(context: ViewContext, repo: RepoPlace) {
  const { row, owner } = repo
  return {
    url: repoApiUrl(context, owner, row),
    htmlUrl: repoUrl(context, owner, row),
    meta: { id: row.id, name: row.name, owner: owner.name, full_name: `${owner.name}/${row.name}` },
    presentLabel: once(
      ({ id }: LabelRow) => id,
      (label) => presentIssueLabel(context, repo, label),
    ),
  }
}

/** What is presented together. */
export interface Sought {
  issues: readonly IssueRow[]
  comments?: readonly number[]
  /** Ids of what is named beside what the issues carry. */
  people?: readonly (number | null)[]
  labels?: readonly number[]
  milestones?: readonly number[]
}

/** What records are made of beside the rows themselves. */
export interface Facts {
  personOf(id: number | null): UserRecord
  /** By issue. */
  assignees: ReadonlyMap<number, readonly number[]>
  labelsOf: ReadonlyMap<number, readonly LabelRow[]>
  /** Those that are named, by their own ids. */
  labels: ReadonlyMap<number, LabelRow>
  milestones: ReadonlyMap<number, ReturnType<typeof presentMilestone>>
  assetsOf: Record<HolderKind, ReadonlyMap<number, readonly AttachmentRow[]>>
}

/** Finds all of it at once. */
export function gatherFacts(context: ViewContext, viewer: Viewer, sought: Sought): Facts {
  const { issues, comments = [], people = [], labels = [], milestones = [] } = sought
  const carried = listCarried(context.db, {
    issues: issues.map(({ id }) => id),
    comments,
    labels,
    milestones: [...new Set([...issues.flatMap(({ milestone_id: id }) => id ?? []), ...milestones])],
  })
  const assignees = carried.assignees.map(({ user_id }) => user_id)
  return {
    personOf: peopleOf(context, viewer, [...issues.map(({ poster_id }) => poster_id), ...assignees, ...people]),
    assignees: grouped(
      carried.assignees,
      ({ issue_id }) => issue_id,
      ({ user_id }) => user_id,
    ),
    labelsOf: labelsByIssue(carried),
    labels: new Map(carried.namedLabels.map((row) => [row.id, row])),
    milestones: new Map(carried.milestones.map((row) => [row.id, presentMilestone(row)])),
    assetsOf: {
      issue: grouped(
        carried.attachments,
        ({ issue_id }) => issue_id,
        (row) => row,
      ),
      comment: grouped(
        carried.commentAttachments,
        ({ comment_id }) => comment_id ?? 0,
        (row) => row,
      ),
    },
  }
}

/** In the order of the labels. */
function labelsByIssue({ labels, labelled }: Carried): ReadonlyMap<number, readonly LabelRow[]> {
  const issuesOf = grouped(
    labelled,
    ({ label_id }) => label_id,
    ({ issue_id }) => issue_id,
  )
  const pairs = labels.flatMap((label) => (issuesOf.get(label.id) ?? []).map((issueId) => ({ issueId, label })))
  return grouped(
    pairs,
    ({ issueId }) => issueId,
    ({ label }) => label,
  )
}

/** Finds the records of people by id, each made once; those who are gone are all the same one. */
export function peopleOf(context: ViewContext, viewer: Viewer, ids: readonly (number | null)[]): (id: number | null) => UserRecord {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  const records = new Map(accessStore.listUsersById(context.db, distinct).map((row: UserRow) => [row.id, presentUser(context, viewer, row)]))
  return (id) => (id === null ? undefined : records.get(id)) ?? presentUser(context, viewer, ghost)
}

/** Values by key, in the order of the items. */
export function grouped<T, V>(items: readonly T[], keyOf: (item: T) => number, pick: (item: T) => V): Map<number, V[]> {
  const groups = new Map<number, V[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(pick(item))
    else groups.set(keyOf(item), [pick(item)])
  }
  return groups
}

/** A label's address: a repository's own, or that of the organization that owns the repository. */
export function presentIssueLabel(context: Pick<Context, 'rootUrl'>, { owner, row }: RepoPlace, label: LabelRow) {
  const holder = label.org_id === null ? repoApiUrl(context, owner, row) : `${context.rootUrl}api/v1/orgs/${encodeURIComponent(owner.name)}`
  return presentLabel(holder, label)
}

function presentAlone(context: ViewContext, place: ReturnType<typeof describePlace>, row: IssueRow, facts: Facts): Issue {
  const assignees = (facts.assignees.get(row.id) ?? []).map(facts.personOf)
  const htmlUrl = `${place.htmlUrl}/${row.is_pull === 1 ? 'pulls' : 'issues'}/${row.number}`
  return {
    id: row.id,
    url: `${place.url}/issues/${row.number}`,
    html_url: htmlUrl,
    number: row.number,
    user: facts.personOf(row.poster_id),
    original_author: '',
    original_author_id: 0,
    title: row.title,
    body: row.body,
    ref: row.ref,
    assets: (facts.assetsOf.issue.get(row.id) ?? []).map((asset) => presentAttachment(context, asset)),
    labels: (facts.labelsOf.get(row.id) ?? []).map(place.presentLabel),
    milestone: row.milestone_id === null ? null : (facts.milestones.get(row.milestone_id) ?? null),
    assignee: assignees[0] ?? null,
    assignees: assignees.length === 0 ? null : assignees,
    state: row.is_closed === 1 ? 'closed' : 'open',
    is_locked: row.is_locked === 1,
    comments: row.comment_count,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
    closed_at: row.closed_at === null ? null : rfc3339(row.closed_at),
    due_date: row.due_at === null ? null : rfc3339(row.due_at),
    time_estimate: row.time_estimate,
    pull_request: row.is_pull === 0 ? null : presentPullMeta(row, htmlUrl),
    repository: place.meta,
    pin_order: row.pin_order,
    content_version: row.content_version,
  }
}

function presentPullMeta(row: IssueRow, htmlUrl: string) {
  const mergedAt = row.merged_at === null ? null : rfc3339(row.merged_at)
  return { merged: mergedAt !== null, merged_at: mergedAt, draft: isDraft(row.title), html_url: htmlUrl }
}

/** What is told of an issue that the viewer may not read, where its being there is known. */
export function hiddenIssue(context: ViewContext, viewer: Viewer, issue: IssueRow): Issue {
  const nobody = presentUser(context, viewer, ghost)
  return {
    id: 0,
    url: '',
    html_url: '',
    number: 0,
    user: nobody,
    original_author: '',
    original_author_id: 0,
    title: 'HIDDEN',
    body: '',
    ref: '',
    assets: [],
    labels: [],
    milestone: null,
    assignee: null,
    assignees: null,
    state: issue.is_closed === 1 ? 'closed' : 'open',
    is_locked: false,
    comments: 0,
    created_at: rfc3339(null),
    updated_at: rfc3339(null),
    closed_at: null,
    due_date: null,
    time_estimate: 0,
    pull_request: null,
    repository: { id: 0, name: '', owner: '', full_name: '' },
    pin_order: 0,
    content_version: 0,
  }
}
