/** Rows that access is about, as they lie in the database; other slices read the same tables through these types. */

import type { Level } from './levels.ts'

export type Visibility = 'public' | 'limited' | 'private'

export interface UserRow {
  id: number
  kind: 'person' | 'organization'
  name: string
  lower_name: string
  full_name: string
  email: string
  password_hash: string
  must_change_password: number
  login_source: number
  login_name: string
  is_admin: number
  is_active: number
  is_restricted: number
  prohibit_login: number
  visibility: Visibility
  website: string
  location: string
  description: string
  pronouns: string
  language: string
  allow_create_organization: number
  max_repo_creation: number
  hide_email: number
  hide_activity: number
  theme: string
  diff_view_style: string
  avatar: string
  star_count: number
  follower_count: number
  following_count: number
  /** Of authenticator apps and security keys. */
  factor_count: number
  created_at: number
  updated_at: number
  last_login_at: number | null
}

export interface RepoRow {
  id: number
  owner_id: number
  name: string
  lower_name: string
  description: string
  website: string
  default_branch: string
  /** The default branch of the wiki; empty while nothing is in it. */
  wiki_branch: string
  object_format: 'sha1' | 'sha256'
  trust_model: string
  is_private: number
  is_template: number
  is_mirror: number
  is_empty: number
  archived_at: number | null
  /** Somebody is offered it. */
  is_in_transfer: number
  fork_of: number | null
  fork_count: number
  release_count: number
  mirror_interval: string
  enable_prune: number
  settings: string
  avatar: string
  size_bytes: number
  star_count: number
  watch_count: number
  /** In order, joined by commas. */
  topic_names: string
  branch_count: number
  /** Most of what the default branch holds is written in it; empty: not known. */
  language: string
  /** SPDX identifiers, joined by commas. */
  license_ids: string
  last_issue_number: number
  open_issue_count: number
  closed_issue_count: number
  open_pull_count: number
  closed_pull_count: number
  issue_comment_count: number
  pull_comment_count: number
  created_at: number
  updated_at: number
}

export interface TeamRow {
  id: number
  org_id: number
  name: string
  lower_name: string
  description: string
  permission: Level
  includes_all_repositories: number
  can_create_org_repo: number
  visibility: Visibility
}

export interface TokenRow {
  id: number
  user_id: number
  name: string
  digest: string
  last_eight: string
  scopes: string
  /** 1: to the repositories that `access_token_repository` names. */
  is_limited: number
  created_at: number
  last_used_at: number | null
}
