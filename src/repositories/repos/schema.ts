import { type Static, t } from 'elysia'
import { IdText, PageQuery } from '#access/index.ts'
import { Int, oneOf, oneOfOrEmpty, Time } from '#kernel/schema.ts'
import { Team } from '#people/teams/index.ts'
import { User } from '#people/users/index.ts'
import { mergeStyles, projectsModes, trackerStyles, updateStyles } from './settings.ts'

export const Permission = t.Object({ admin: t.Boolean(), push: t.Boolean(), pull: t.Boolean() }, { $id: 'Permission' })

export const InternalTracker = t.Object(
  { enable_time_tracker: t.Boolean(), allow_only_contributors_to_track_time: t.Boolean(), enable_issue_dependencies: t.Boolean() },
  { $id: 'InternalTracker' },
)

const address = '^(https?://[^\\s/]+.*)?$'

export const ExternalTracker = t.Object(
  {
    external_tracker_url: t.String({ maxLength: 2048, pattern: address, error: 'External tracker URL not valid' }),
    external_tracker_format: t.Optional(t.String({ maxLength: 2048, pattern: address, error: 'External tracker URL format not valid' })),
    external_tracker_style: t.Optional(oneOf(trackerStyles)),
    external_tracker_regexp_pattern: t.Optional(t.String({ maxLength: 500 })),
  },
  { $id: 'ExternalTracker' },
)

export const ExternalWiki = t.Object(
  { external_wiki_url: t.String({ maxLength: 2048, pattern: address, error: 'Invalid external wiki URL' }) },
  { $id: 'ExternalWiki' },
)

const fields = {
  id: Int(),
  owner: User,
  name: t.String(),
  full_name: t.String(),
  description: t.String(),
  empty: t.Boolean(),
  private: t.Boolean(),
  fork: t.Boolean(),
  template: t.Boolean(),
  mirror: t.Boolean(),
  size: Int({ description: 'Size on disk in KiB' }),
  language: t.String(),
  languages_url: t.String(),
  html_url: t.String(),
  url: t.String(),
  link: t.String(),
  ssh_url: t.String(),
  clone_url: t.String(),
  original_url: t.String(),
  website: t.String(),
  stars_count: Int(),
  forks_count: Int(),
  watchers_count: Int(),
  branch_count: Int(),
  open_issues_count: Int(),
  open_pr_counter: Int(),
  release_counter: Int(),
  default_branch: t.String(),
  wiki_branch: t.String(),
  archived: t.Boolean(),
  created_at: Time,
  updated_at: Time,
  archived_at: Time,
  permissions: Permission,
  has_code: t.Boolean(),
  has_issues: t.Boolean(),
  internal_tracker: t.Optional(InternalTracker),
  external_tracker: t.Optional(ExternalTracker),
  has_wiki: t.Boolean(),
  external_wiki: t.Optional(ExternalWiki),
  has_pull_requests: t.Boolean(),
  has_projects: t.Boolean(),
  projects_mode: t.String(),
  has_releases: t.Boolean(),
  has_packages: t.Boolean(),
  has_actions: t.Boolean(),
  ignore_whitespace_conflicts: t.Boolean(),
  allow_merge_commits: t.Boolean(),
  allow_rebase: t.Boolean(),
  allow_rebase_explicit: t.Boolean(),
  allow_squash_merge: t.Boolean(),
  allow_fast_forward_only_merge: t.Boolean(),
  allow_merge_update: t.Boolean(),
  allow_rebase_update: t.Boolean(),
  allow_manual_merge: t.Boolean(),
  autodetect_manual_merge: t.Boolean(),
  default_delete_branch_after_merge: t.Boolean(),
  default_merge_style: t.String(),
  default_update_style: t.String(),
  default_allow_maintainer_edit: t.Boolean(),
  default_target_branch: t.String({ description: 'Empty for the default branch' }),
  avatar_url: t.String(),
  internal: t.Boolean(),
  mirror_interval: t.String(),
  object_format_name: t.String(),
  mirror_updated: Time,
  mirror_last_sync_at: Time,
  topics: t.Array(t.String()),
  licenses: t.Array(t.String()),
}

export const RepoTransfer = t.Object({ doer: User, recipient: User, teams: t.Array(Team) }, { $id: 'RepoTransfer' })
export type RepoTransfer = Static<typeof RepoTransfer>

/**
 * `parent` is what a fork was made from, itself without a parent; absent when there is none or the viewer may not see it.
 * `repo_transfer` is there while somebody is offered the repository, for those whom that concerns.
 */
export const Repository = t.Object(
  { ...fields, parent: t.Optional(t.Object(fields, { $id: 'Repository' })), repo_transfer: t.Optional(RepoTransfer) },
  { $id: 'Repository' },
)
export type Repository = Static<typeof Repository>
export type ParentRepository = NonNullable<Repository['parent']>

export const RepositoryList = t.Array(Repository, { $id: 'RepositoryList' })
export const SearchResults = t.Object({ ok: t.Boolean(), data: t.Array(Repository) }, { $id: 'SearchResults' })

const Name = t.String({ minLength: 1, maxLength: 100, description: 'Name of the repository' })
const Description = t.String({ maxLength: 2048 })
const BranchName = t.String({ maxLength: 100 })
const MirrorCredential = t.String({ maxLength: 1024, description: 'Credentials for the mirror source. Ignored if the repository is not a mirror.' })
/** Names of templates, separated by commas. */
const TemplateNames = t.String({ maxLength: 1024 })

export const CreateRepoOption = t.Object(
  {
    name: Name,
    description: t.Optional(Description),
    private: t.Optional(t.Boolean()),
    template: t.Optional(t.Boolean()),
    auto_init: t.Optional(t.Boolean({ description: 'Create a first commit with the README, .gitignore and license' })),
    gitignores: t.Optional(TemplateNames),
    license: t.Optional(TemplateNames),
    readme: t.Optional(TemplateNames),
    issue_labels: t.Optional(TemplateNames),
    default_branch: t.Optional(BranchName),
    trust_model: t.Optional(oneOfOrEmpty(['default', 'collaborator', 'committer', 'collaboratorcommitter'])),
    object_format_name: t.Optional(oneOfOrEmpty(['sha1', 'sha256'])),
  },
  { $id: 'CreateRepoOption' },
)
export type CreateRepoOption = Static<typeof CreateRepoOption>

export const EditRepoOption = t.Object(
  {
    name: t.Optional(Name),
    description: t.Optional(Description),
    website: t.Optional(t.String({ maxLength: 1024 })),
    private: t.Optional(t.Boolean()),
    template: t.Optional(t.Boolean()),
    archived: t.Optional(t.Boolean()),
    default_branch: t.Optional(BranchName),
    wiki_branch: t.Optional(BranchName),
    has_code: t.Optional(t.Boolean()),
    has_issues: t.Optional(t.Boolean()),
    internal_tracker: t.Optional(t.Partial(InternalTracker, { $id: 'InternalTrackerOption' })),
    external_tracker: t.Optional(ExternalTracker),
    has_wiki: t.Optional(t.Boolean()),
    external_wiki: t.Optional(ExternalWiki),
    has_pull_requests: t.Optional(t.Boolean()),
    has_projects: t.Optional(t.Boolean()),
    projects_mode: t.Optional(oneOf(projectsModes)),
    has_releases: t.Optional(t.Boolean()),
    has_packages: t.Optional(t.Boolean()),
    has_actions: t.Optional(t.Boolean()),
    ignore_whitespace_conflicts: t.Optional(t.Boolean()),
    allow_merge_commits: t.Optional(t.Boolean()),
    allow_rebase: t.Optional(t.Boolean()),
    allow_rebase_explicit: t.Optional(t.Boolean()),
    allow_merge_update: t.Optional(t.Boolean()),
    allow_rebase_update: t.Optional(t.Boolean()),
    allow_squash_merge: t.Optional(t.Boolean()),
    allow_fast_forward_only_merge: t.Optional(t.Boolean()),
    allow_manual_merge: t.Optional(t.Boolean()),
    autodetect_manual_merge: t.Optional(t.Boolean()),
    default_delete_branch_after_merge: t.Optional(t.Boolean()),
    default_merge_style: t.Optional(oneOfOrEmpty(mergeStyles)),
    default_update_style: t.Optional(oneOfOrEmpty(updateStyles)),
    default_allow_maintainer_edit: t.Optional(t.Boolean()),
    mirror_interval: t.Optional(t.String({ maxLength: 50, description: 'Go duration, for example 8h30m. 0 disables mirroring.' })),
    enable_prune: t.Optional(t.Boolean()),
    mirror_username: t.Optional(MirrorCredential),
    mirror_password: t.Optional(MirrorCredential),
    mirror_token: t.Optional(MirrorCredential),
  },
  { $id: 'EditRepoOption' },
)
export type EditRepoOption = Static<typeof EditRepoOption>

const Flag = (description: string) => t.Optional(t.String({ documentedAs: 'boolean', description }))
const Id = (description: string) => t.Optional(IdText(description))

/** Flags are texts because invalid ones count as absent, as in Gitea. */
export const SearchQuery = t.Object({
  ...PageQuery.properties,
  q: t.Optional(t.String({ maxLength: 1024, description: 'Search keyword' })),
  topic: Flag('Search topics only'),
  includeDesc: Flag('Also search descriptions'),
  uid: Id('Return only repositories that the user with this ID owns or contributes to'),
  priority_owner_id: Id('List repositories of the owner with this ID first'),
  team_id: Id('Return only repositories of the team with this ID'),
  starredBy: Id('Return only repositories that the user with this ID starred'),
  private: Flag('Include private repositories (default: true)'),
  is_private: Flag('true: only private repositories; false: only public ones'),
  template: Flag('true: only templates; false: no templates'),
  archived: Flag('true: only archived repositories; false: no archived ones'),
  mode: t.Optional(t.String({ description: 'Type of repository: fork, source, mirror or collaborative' })),
  exclusive: Flag('With uid: return only repositories that the user owns'),
  sort: t.Optional(t.String({ description: 'Sort by alpha (default), created, updated, size, git_size, lfs_size, id, stars or forks' })),
  order: t.Optional(t.String({ description: 'Sort order: asc (default) or desc' })),
})
export type SearchQuery = Static<typeof SearchQuery>
