import { type DiskTrouble, diskTroubleOf } from '#kernel/disk-trouble.ts'
import { messageOf, Problem } from '#kernel/errors.ts'

/** What a person sees of an error: its message, and for a mistake of ours where it happened. */
export function failed(error: unknown): string {
  const isOurMistake = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  if (isOurMistake) return `Unexpected error: ${error.stack ?? error.message}`
  const trouble = diskTroubleOf(error)
  return trouble === undefined || hasAdvice(error) ? messageOf(error) : `Disk error: ${messageOf(error)}. ${advice[trouble]}`
}

/** Ours say what to do; those of the system do not. */
function hasAdvice(error: unknown): boolean {
  return error instanceof Problem || (error as { code?: unknown }).code === undefined
}

const advice: Record<DiskTrouble, string> = {
  full: 'Free some space on the disk of the data directory, then try again.',
  'read-only': 'Make the data directory writable, then try again.',
  failing: 'The disk reports errors. Check the disk, then run "pocketforge doctor".',
  damaged: 'The database is damaged. Run "pocketforge doctor" to see which tables can be read and what to do.',
  crowded: 'Raise the limit of open files (ulimit -n), then try again.',
  forbidden: 'Make the user that runs Pocketforge the owner of the data directory and its files, then try again.',
  lost: 'The disk reports errors. Check the disk, then run "pocketforge doctor".',
}
