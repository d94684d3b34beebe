import { InvalidArgumentError } from 'commander'
import { type DiskTrouble, diskTroubleOf } from '#kernel/disk-trouble.ts'
import { messageOf, Problem } from '#kernel/errors.ts'

/** The text after a command's options: how it is used. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

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
  lost: 'The disk answers with errors: look after it, then run "pocketforge doctor".',
}

/** A port number of an option. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A whole number from 0 to 65535 is expected.')
  return port
}
