import { accessStore, type RepoAccess, type RepoRow, type Unit, type UserRow, wikiBranchOf, wikiIdOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import { branchRef } from '#git/refs/names.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { findRef, moveHead } from '#repositories/refs/index.ts'
import { formatDuration, parseDuration } from './duration.ts'
import { hideWithForks } from './hide-forks.ts'
import { checkRepoName } from './names.ts'
import type { EditRepoOption } from './schema.ts'
import { formatSettings, type RepoSettings, settingsOf, updateStyles, withUnit } from './settings.ts'
import { type RepoChange, updateRepo } from './store.ts'

/** Gitea's `mirror.MIN_INTERVAL`. */
const MIN_MIRROR_SECONDS = 600

/** Settings that the body names as the record does, and that are taken over as they are. */
const plainSettings = [
  'ignore_whitespace_conflicts',
  'allow_merge_commits',
  'allow_rebase',
  'allow_rebase_explicit',
  'allow_merge_update',
  'allow_rebase_update',
  'allow_squash_merge',
  'allow_fast_forward_only_merge',
  'allow_manual_merge',
  'autodetect_manual_merge',
  'default_delete_branch_after_merge',
  'default_allow_maintainer_edit',
  'default_merge_style',
  'default_update_style',
  'projects_mode',
] as const satisfies readonly (keyof RepoSettings & keyof EditRepoOption)[]

const mergeSettings = plainSettings.filter((key) => key !== 'projects_mode')

const unitFlags = {
  has_code: 'code',
  has_issues: 'issues',
  has_pull_requests: 'pulls',
  has_projects: 'projects',
  has_releases: 'releases',
  has_packages: 'packages',
  has_actions: 'actions',
  has_wiki: 'wiki',
} as const satisfies Partial<Record<keyof EditRepoOption, Unit>>

/**
 * Changes what the body names and nothing else, all of it or nothing.
 * @throws NotFound when it is gone meanwhile; Unprocessable on a name that cannot be used or is taken, a default branch that does not exist, of the
 * repository or its wiki, archiving a mirror, a bad interval
 */
export function editRepo(context: Context, actor: UserRow, { row: before, owner }: RepoAccess, body: EditRepoOption): RepoRow {
  const now = context.clock.seconds()
  context.db.tx((tx) => {
    const repo = accessStore.findRepoById(tx, before.id)
    if (!repo) throw new NotFound()
    const change: RepoChange = {
      ...changeBasics(repo, body, now),
      ...changeMirror(repo, body),
      settings: formatSettings(changeSettings(settingsOf(repo), body)),
    }
    if (hasPrivateBase(tx, repo)) change.is_private = 1
    if (body.name !== undefined && body.name !== repo.name) change.name = checkNewName(tx, repo, owner.name, body.name)
    if (body.default_branch !== undefined && isNewDefault(tx, repo, body.default_branch)) change.default_branch = body.default_branch
    if (body.wiki_branch !== undefined && body.wiki_branch !== wikiBranchOf(repo)) change.wiki_branch = checkWikiBranch(tx, repo, body.wiki_branch)
    updateRepo(tx, repo, { ...change, updated_at: now })
    if (change.name !== undefined) {
      const fullName = `${owner.name}/${change.name}`
      context.events.record(tx, { type: 'repository', action: 'renamed', actorId: actor.id, repoId: repo.id, fullName, formerName: repo.name })
    }
    if (change.default_branch !== undefined) moveHead(context, tx, repo.id)
    if (change.wiki_branch !== undefined) moveHead(context, tx, wikiIdOf(repo.id))
    if (change.is_private === 1 && repo.is_private === 0) hideWithForks(context, tx, repo.id)
  })
  // With what followed the commit: those who no longer see it watch it no more.
  return accessStore.findRepoById(context.db, before.id) as RepoRow
}

/** A fork of what is private stays so, whatever is asked, as in Gitea. */
function hasPrivateBase(db: Db, repo: RepoRow): boolean {
  return repo.fork_of !== null && accessStore.findRepoById(db, repo.fork_of)?.is_private === 1
}

function changeBasics(repo: RepoRow, body: EditRepoOption, now: number): RepoChange {
  const change: RepoChange = {}
  if (body.description !== undefined) change.description = body.description
  if (body.website !== undefined) change.website = body.website
  if (body.private !== undefined) change.is_private = body.private ? 1 : 0
  if (body.template !== undefined) change.is_template = body.template ? 1 : 0
  if (body.archived !== undefined && body.archived !== (repo.archived_at !== null)) {
    if (repo.is_mirror === 1) throw new Unprocessable('repo is a mirror, cannot archive/un-archive')
    change.archived_at = body.archived ? now : null
  }
  return change
}

/** For repositories that are no mirrors, what concerns mirrors is passed over, as Gitea does. */
function changeMirror(repo: RepoRow, body: EditRepoOption): RepoChange {
  const change: RepoChange = {}
  if (repo.is_mirror === 0) return change
  if (body.enable_prune !== undefined) change.enable_prune = body.enable_prune ? 1 : 0
  if (body.mirror_interval !== undefined) {
    const seconds = parseDuration(body.mirror_interval)
    if (seconds === undefined) throw new Unprocessable(`invalid mirror interval: "${body.mirror_interval}" is not a duration like 8h30m`)
    if (seconds !== 0 && seconds < MIN_MIRROR_SECONDS) {
      throw new Unprocessable(`invalid mirror interval: ${formatDuration(seconds)} is below minimum interval: ${formatDuration(MIN_MIRROR_SECONDS)}`)
    }
    change.mirror_interval = formatDuration(seconds)
  }
  return change
}

function changeSettings(settings: RepoSettings, body: EditRepoOption): RepoSettings {
  const plain = Object.fromEntries(
    plainSettings.flatMap((key) => (body[key] === undefined || body[key] === '' ? [] : [[key, body[key]]])),
  ) as Partial<RepoSettings>
  let changed: RepoSettings = { ...settings, ...plain }
  // Who says how pull requests are to be merged wants some, as in Gitea.
  if (body.has_pull_requests === undefined && mergeSettings.some((key) => body[key] !== undefined)) changed = withUnit(changed, 'pulls', true)
  for (const [flag, unit] of Object.entries(unitFlags)) {
    const isOn = body[flag as keyof typeof unitFlags]
    if (isOn !== undefined) changed = withUnit(changed, unit, isOn)
  }
  checkUpdateStyles(changed, body)
  return changeExternals(changed, body)
}

/** The way that pull requests catch up with their target by default has to be one that is allowed. */
function checkUpdateStyles(settings: RepoSettings, body: EditRepoOption): void {
  if (body.allow_merge_update === undefined && body.allow_rebase_update === undefined && body.default_update_style === undefined) return
  const allowed = updateStyles.filter((style) => (style === 'merge' ? settings.allow_merge_update : settings.allow_rebase_update))
  if (allowed.includes(settings.default_update_style)) return
  const expected = allowed.length === 0 ? 'allow merge or rebase first' : `use ${allowed.join(' or ')}`
  throw new Unprocessable(`[DefaultUpdateStyle]: Cannot use "${settings.default_update_style}", because this repository does not allow it; ${expected}`)
}

/** A tracker or wiki elsewhere takes the place of our unit while it is named; switching the unit on or off ends it. */
function changeExternals(settings: RepoSettings, body: EditRepoOption): RepoSettings {
  let changed = settings
  if (body.has_issues !== undefined) {
    const { external_tracker: tracker } = body
    changed = { ...changed, external_tracker: body.has_issues && tracker ? { ...emptyTracker, ...tracker } : undefined }
    if (changed.external_tracker) changed = withUnit(changed, 'issues', false)
  }
  if (body.internal_tracker && body.has_issues !== false) changed = { ...changed, internal_tracker: { ...changed.internal_tracker, ...body.internal_tracker } }
  if (body.has_wiki !== undefined) {
    changed = { ...changed, external_wiki: body.has_wiki ? body.external_wiki : undefined }
    if (changed.external_wiki) changed = withUnit(changed, 'wiki', false)
  }
  return changed
}

const emptyTracker = { external_tracker_url: '', external_tracker_format: '', external_tracker_style: 'numeric', external_tracker_regexp_pattern: '' } as const

function checkNewName(db: Db, repo: RepoRow, ownerName: string, name: string): string {
  checkRepoName(name)
  const holder = accessStore.findRepo(db, repo.owner_id, name)
  if (holder && holder.id !== repo.id) throw new Unprocessable(`repository already exists [uname: ${ownerName}, name: ${name}]`)
  return name
}

function checkWikiBranch(db: Db, repo: RepoRow, branch: string): string {
  if (!findRef(db, wikiIdOf(repo.id), branchRef(branch))) throw new Unprocessable(`[WikiBranch]: Cannot use "${branch}": the wiki has no such branch`)
  return branch
}

/**
 * Without branches any name will do: it is what the first push is expected to bring. Of others, one that there is not is passed over, as in Gitea.
 * @throws GitError `refused` on a name that no branch can have
 */
function isNewDefault(db: Db, repo: RepoRow, branch: string): boolean {
  const ref = branchRef(branch)
  return branch !== repo.default_branch && (repo.is_empty === 1 || findRef(db, repo.id, ref) !== undefined)
}
