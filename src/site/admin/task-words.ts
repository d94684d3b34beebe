/** What administrators read of the tasks that clients know by these names. */
export const taskWords: ReadonlyMap<string, string> = new Map([
  ['activity', 'Update activity feeds'],
  ['archive_cleanup', 'Delete archives of deleted repositories'],
  ['commit references', 'Add commit references to issues'],
  ['delete_inactive_accounts', 'Delete accounts that were never activated'],
  ['delete_old_records', 'Delete old reflog entries and events'],
  ['git_gc_repos', 'Garbage-collect repositories'],
  ['languages', 'Update language statistics'],
  ['notifications', 'Create notifications'],
  ['pushes to pull requests of forks', 'Update pull requests from forks'],
  ['remove_deleted_for_good', 'Purge deleted comments, labels and milestones'],
  ['remove_deleted_repositories', 'Delete files of deleted repositories'],
  ['remove_unused_avatars', 'Delete unused avatars'],
  ['remove_unused_files', 'Delete unused attachment files'],
  ['reviews', 'Update stale reviews'],
  ['run_background_jobs', 'Run background jobs'],
  ['scheduled merges', 'Run auto-merges'],
  ['send_mail', 'Send mail'],
  ['sync_external_users', 'Synchronize external users'],
])

const units = { h: ['hour', 'hours'], m: ['minute', 'minutes'], s: ['second', 'seconds'] } as const

/** `@every 10m`, as people say it. */
export function scheduleWords(schedule: string): string {
  const [, count = '', unit] = /^@every (\d+)([hms])$/.exec(schedule) ?? []
  if (unit === undefined) return schedule || 'only manually'
  if (schedule === '@every 24h') return 'every day'
  const [one, many] = units[unit as keyof typeof units]
  return count === '1' ? `every ${one}` : `every ${count} ${many}`
}
