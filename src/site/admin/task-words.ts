/** What administrators read of the tasks that clients know by these names. */
export const taskWords: ReadonlyMap<string, string> = new Map([
  ['activity', 'Tell feeds of what happened'],
  ['archive_cleanup', 'Remove archives of repositories that are gone'],
  ['commit references', 'Tell issues of commits that name them'],
  ['delete_inactive_accounts', 'Delete accounts that nobody confirmed'],
  ['delete_old_records', 'Delete old records of pushes and events'],
  ['git_gc_repos', 'Look after repositories'],
  ['languages', 'Count the languages of repositories'],
  ['notifications', 'Tell people what concerns them'],
  ['pushes to pull requests of forks', 'Bring pull requests of forks up to date'],
  ['remove_deleted_for_good', 'Remove for good what was deleted'],
  ['remove_deleted_repositories', 'Remove files of deleted repositories'],
  ['remove_unused_avatars', 'Remove pictures that nobody has any more'],
  ['remove_unused_files', 'Remove files that nothing refers to'],
  ['reviews', 'Keep reviews up to date'],
  ['run_background_jobs', 'Run background jobs'],
  ['scheduled merges', 'Merge what waits for its checks'],
  ['send_mail', 'Send mail'],
  ['sync_external_users', 'Take over accounts from sources of sign-in'],
])

const units = { h: ['hour', 'hours'], m: ['minute', 'minutes'], s: ['second', 'seconds'] } as const

/** `@every 10m`, as people say it. */
export function scheduleWords(schedule: string): string {
  const [, count = '', unit] = /^@every (\d+)([hms])$/.exec(schedule) ?? []
  if (unit === undefined) return schedule || 'when asked to'
  if (schedule === '@every 24h') return 'every day'
  const [one, many] = units[unit as keyof typeof units]
  return count === '1' ? `every ${one}` : `every ${count} ${many}`
}
