import {
  accessStore,
  atLeast,
  canSee,
  type Permission,
  permissionIn,
  permissionsIn,
  type RepoAccess,
  type RepoRow,
  type UserRow,
  type Viewer,
  wikiBranchOf,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { goZeroTime, rfc3339 } from '#kernel/clock.ts'
import { NotFound } from '#kernel/errors.ts'
import { presentUser, type UserRecord } from '#people/users/index.ts'
import type { ParentRepository, Repository } from './schema.ts'
import { defaultSettings, hasUnit, type RepoSettings, settingsOf } from './settings.ts'
import { presentTransfer } from './transfer-view.ts'

/** What views need of the context. */
export type ViewContext = Pick<Context, 'db' | 'rootUrl'>

/** A Repository record as `viewer` may see it; `repo.permission` is the viewer's own. */
export function presentRepo(context: ViewContext, viewer: Viewer, repo: RepoAccess): Repository {
  return presentWhole(context, viewer, repo, presentUser(context, viewer, repo.owner))
}

/** The same for a row that the viewer is known to see. */
export function presentRepoRow(context: ViewContext, viewer: Viewer, row: RepoRow): Repository {
  return presentRepoRows(context, viewer, [row])[0] as Repository
}

/** The same for rows found by a query that filters by visibility; each owner is presented once. */
export function presentRepoRows(context: ViewContext, viewer: Viewer, rows: readonly RepoRow[]): Repository[] {
  const found = accessStore.listUsersById(context.db, [...new Set(rows.map(({ owner_id }) => owner_id))])
  const owners = new Map(found.map((owner) => [owner.id, owner]))
  const places = rows.map((row) => ({ row, owner: owners.get(row.owner_id) ?? ownerIsMissing(row) }))
  const permissions = permissionsIn(context.db, viewer, places)
  const repos = places.map((place, i) => ({ ...place, permission: permissions[i] as Permission }))
  return presentRepos(context, viewer, repos)
}

/** The same for repositories with what the viewer may do in them. */
export function presentRepos(context: ViewContext, viewer: Viewer, repos: readonly RepoAccess[]): Repository[] {
  const records = new Map<number, UserRecord>()
  return repos.map((repo) => {
    const record = records.get(repo.owner.id) ?? presentUser(context, viewer, repo.owner)
    records.set(repo.owner.id, record)
    return presentWhole(context, viewer, repo, record)
  })
}

function presentWhole(context: ViewContext, viewer: Viewer, repo: RepoAccess, owner: UserRecord): Repository {
  const parent = presentParent(context, viewer, repo.row)
  return { ...presentAlone(context, repo, owner), parent, repo_transfer: presentTransfer(context, viewer, repo) }
}

/** `http://host/owner/name`: where people look at it, and with `.git` where git does. */
export function repoUrl({ rootUrl }: Pick<Context, 'rootUrl'>, owner: UserRow, repo: RepoRow): string {
  return `${rootUrl}${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}`
}

export function repoApiUrl({ rootUrl }: Pick<Context, 'rootUrl'>, owner: UserRow, repo: RepoRow): string {
  return `${rootUrl}api/v1/repos/${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}`
}

function presentParent(context: ViewContext, viewer: Viewer, repo: RepoRow): ParentRepository | undefined {
  const row = repo.fork_of === null ? undefined : accessStore.findRepoById(context.db, repo.fork_of)
  if (!row) return undefined
  const { owner, record } = presentOwner(context, viewer, row)
  const permission = permissionIn(context.db, viewer, row, owner)
  return canSee(permission) ? presentAlone(context, { row, owner, permission }, record) : undefined
}

function presentAlone(context: ViewContext, { row, owner, permission }: RepoAccess, ownerRecord: UserRecord): ParentRepository {
  const settings = settingsOf(row)
  const url = repoApiUrl(context, owner, row)
  const htmlUrl = repoUrl(context, owner, row)
  return {
    id: row.id,
    owner: ownerRecord,
    name: row.name,
    full_name: `${owner.name}/${row.name}`,
    description: row.description,
    empty: row.is_empty === 1,
    private: row.is_private === 1,
    fork: row.fork_of !== null,
    template: row.is_template === 1,
    mirror: row.is_mirror === 1,
    size: Math.ceil(row.size_bytes / 1024),
    language: row.language,
    languages_url: `${url}/languages`,
    html_url: htmlUrl,
    url,
    link: '',
    ssh_url: `git@${hostOf(context.rootUrl)}:${owner.name}/${row.name}.git`,
    clone_url: `${htmlUrl}.git`,
    original_url: '',
    website: row.website,
    stars_count: row.star_count,
    forks_count: row.fork_count,
    watchers_count: row.watch_count,
    branch_count: row.branch_count,
    open_issues_count: row.open_issue_count,
    open_pr_counter: row.open_pull_count,
    release_counter: row.release_count,
    default_branch: row.default_branch,
    wiki_branch: wikiBranchOf(row),
    archived: row.archived_at !== null,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
    archived_at: rfc3339(row.archived_at),
    permissions: { admin: atLeast(permission.level, 'admin'), push: atLeast(permission.of('code'), 'write'), pull: atLeast(permission.of('code'), 'read') },
    ...presentUnits(row, settings),
    ...presentMerging(row, settings),
    avatar_url: row.avatar && `${context.rootUrl}repo-avatars/${row.avatar}`,
    internal: row.is_private === 0 && owner.visibility !== 'public',
    mirror_interval: row.is_mirror === 1 ? row.mirror_interval : '',
    object_format_name: row.object_format,
    mirror_updated: goZeroTime,
    mirror_last_sync_at: goZeroTime,
    topics: row.topic_names === '' ? [] : row.topic_names.split(','),
    licenses: licensesOf(row),
  }
}

/** SPDX identifiers of the licences that its default branch has. */
export function licensesOf({ license_ids: ids }: RepoRow): string[] {
  return ids === '' ? [] : ids.split(',')
}

function presentUnits(repo: RepoRow, settings: RepoSettings) {
  const hasIssues = hasUnit(repo, 'issues')
  const { external_tracker: tracker, external_wiki: wiki } = settings
  return {
    has_code: hasUnit(repo, 'code'),
    has_issues: hasIssues || tracker !== undefined,
    ...(hasIssues ? { internal_tracker: settings.internal_tracker } : {}),
    ...(tracker ? { external_tracker: { ...tracker } } : {}),
    has_wiki: hasUnit(repo, 'wiki') || wiki !== undefined,
    ...(wiki ? { external_wiki: { ...wiki } } : {}),
    has_pull_requests: hasUnit(repo, 'pulls'),
    has_projects: hasUnit(repo, 'projects'),
    projects_mode: settings.projects_mode,
    has_releases: hasUnit(repo, 'releases'),
    has_packages: hasUnit(repo, 'packages'),
    has_actions: hasUnit(repo, 'actions'),
  }
}

/** What pull requests allow; nothing while they are switched off. */
function presentMerging(repo: RepoRow, settings: RepoSettings) {
  const isOn = hasUnit(repo, 'pulls')
  return {
    ignore_whitespace_conflicts: isOn && settings.ignore_whitespace_conflicts,
    allow_merge_commits: isOn && settings.allow_merge_commits,
    allow_rebase: isOn && settings.allow_rebase,
    allow_rebase_explicit: isOn && settings.allow_rebase_explicit,
    allow_squash_merge: isOn && settings.allow_squash_merge,
    allow_fast_forward_only_merge: isOn && settings.allow_fast_forward_only_merge,
    allow_merge_update: isOn && settings.allow_merge_update,
    allow_rebase_update: isOn && settings.allow_rebase_update,
    allow_manual_merge: isOn && settings.allow_manual_merge,
    autodetect_manual_merge: isOn && settings.autodetect_manual_merge,
    default_delete_branch_after_merge: isOn && settings.default_delete_branch_after_merge,
    default_merge_style: isOn ? settings.default_merge_style : defaultSettings.default_merge_style,
    default_update_style: isOn ? settings.default_update_style : defaultSettings.default_update_style,
    default_allow_maintainer_edit: isOn && settings.default_allow_maintainer_edit,
    default_target_branch: '',
  }
}

function presentOwner(context: ViewContext, viewer: Viewer, repo: RepoRow): { owner: UserRow; record: UserRecord } {
  const owner = accessStore.findUserById(context.db, repo.owner_id) ?? ownerIsMissing(repo)
  return { owner, record: presentUser(context, viewer, owner) }
}

/** No repository outlives its owner: this one has been deleted since its row was read. */
function ownerIsMissing(repo: RepoRow): never {
  throw new NotFound(undefined, { cause: new Error(`Cannot present repository ${repo.id}: its owner ${repo.owner_id} is missing`) })
}

function hostOf(rootUrl: string): string {
  return new URL(rootUrl).hostname
}
