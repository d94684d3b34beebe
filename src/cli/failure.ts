import { type DiskTrouble, diskTroubleOf } from '#kernel/disk-trouble.ts'
import { messageOf, Problem } from '#kernel/errors.ts'

/** What a person sees of an error: its message, and for a mistake of ours where it happened. */
export function failed(error: unknown): string {
  const isOurMistake = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  if (isOurMistake) return `Unexpected: ${error.stack ?? error.message}`
  const trouble = diskTroubleOf(error)
  return trouble === undefined || hasAdvice(error) ? messageOf(error) : `Cannot go on: ${messageOf(error)}. ${advice[trouble]}`
}

/** Ours say what to do; those of the system do not. */
function hasAdvice(error: unknown): boolean {
  return error instanceof Problem || (error as { code?: unknown }).code === undefined
}

const advice: Record<DiskTrouble, string> = {
  full: 'Free some space on the disk of the data directory, then try again.',
  'read-only': 'Make the data directory writable, then try again.',
  failing: 'The disk answers with errors: look after it, then run "pocketforge doctor".',
  damaged: 'The database is damaged: "pocketforge doctor" tells what of it can be read, and what to do.',
  crowded: 'Let the process open more files (ulimit -n), then try again.',
  forbidden: 'Give the files of the data directory to the account that runs this, then try again.',
  lost: 'The disk answers with errors: look after it, then run "pocketforge doctor".',
}
