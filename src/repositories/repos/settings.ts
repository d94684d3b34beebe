import { disabledUnits, type RepoRow, type Unit, units } from '#access/index.ts'

export const mergeStyles = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only', 'manually-merged'] as const
export const updateStyles = ['merge', 'rebase'] as const
export const trackerStyles = ['', 'numeric', 'alphanumeric', 'regexp'] as const
export const projectsModes = ['repo', 'owner', 'all'] as const

/** Settings of a repository that nothing is joined on; the JSON of `repository.settings` holds those that differ from `defaultSettings`. */
export interface RepoSettings {
  /** Units switched off; `access/permissions.ts` reads the same member. */
  disabled_units: readonly Unit[]
  ignore_whitespace_conflicts: boolean
  allow_merge_commits: boolean
  allow_rebase: boolean
  allow_rebase_explicit: boolean
  allow_merge_update: boolean
  allow_rebase_update: boolean
  allow_squash_merge: boolean
  allow_fast_forward_only_merge: boolean
  allow_manual_merge: boolean
  autodetect_manual_merge: boolean
  default_delete_branch_after_merge: boolean
  default_allow_maintainer_edit: boolean
  default_merge_style: (typeof mergeStyles)[number]
  default_update_style: (typeof updateStyles)[number]
  projects_mode: (typeof projectsModes)[number]
  internal_tracker: InternalTracker
  /** Issues live elsewhere; the issues unit is off. */
  external_tracker: ExternalTracker | undefined
  /** The wiki lives elsewhere; the wiki unit is off. */
  external_wiki: ExternalWiki | undefined
}

export interface InternalTracker {
  enable_time_tracker: boolean
  allow_only_contributors_to_track_time: boolean
  enable_issue_dependencies: boolean
}

export interface ExternalTracker {
  external_tracker_url: string
  external_tracker_format: string
  external_tracker_style: (typeof trackerStyles)[number]
  external_tracker_regexp_pattern: string
}

export interface ExternalWiki {
  external_wiki_url: string
}

/** Gitea's defaults. */
export const defaultSettings: RepoSettings = {
  disabled_units: [],
  ignore_whitespace_conflicts: false,
  allow_merge_commits: true,
  allow_rebase: true,
  allow_rebase_explicit: true,
  allow_merge_update: true,
  allow_rebase_update: true,
  allow_squash_merge: true,
  allow_fast_forward_only_merge: true,
  allow_manual_merge: false,
  autodetect_manual_merge: false,
  default_delete_branch_after_merge: false,
  default_allow_maintainer_edit: true,
  default_merge_style: 'merge',
  default_update_style: 'merge',
  projects_mode: 'all',
  internal_tracker: { enable_time_tracker: true, allow_only_contributors_to_track_time: true, enable_issue_dependencies: true },
  external_tracker: undefined,
  external_wiki: undefined,
}

export function settingsOf(repo: RepoRow): RepoSettings {
  return repo.settings === '{}' ? defaultSettings : { ...defaultSettings, ...(JSON.parse(repo.settings) as Partial<RepoSettings>) }
}

/** What `repository.settings` keeps. */
export function formatSettings(settings: RepoSettings): string {
  const changed = Object.entries(settings).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaultSettings[key as keyof RepoSettings]))
  return JSON.stringify(Object.fromEntries(changed))
}

/** The settings with `unit` switched on or off. */
export function withUnit(settings: RepoSettings, unit: Unit, isOn: boolean): RepoSettings {
  const off = new Set(settings.disabled_units)
  if (isOn) off.delete(unit)
  else off.add(unit)
  return { ...settings, disabled_units: units.filter((one) => off.has(one)) }
}

export function hasUnit(repo: RepoRow, unit: Unit): boolean {
  return !disabledUnits(repo).has(unit)
}

/** A fork is for changes to the code: what else there is stays with what it was made from, as in Gitea. */
export const forkSettings = formatSettings({ ...defaultSettings, disabled_units: units.filter((unit) => unit !== 'code' && unit !== 'pulls') })
