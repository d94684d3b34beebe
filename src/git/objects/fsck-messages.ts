import type { GitError } from '../errors.ts'
import { fault } from './fault.ts'

/**
 * Faults that old histories have and readers can live with, by the names that `git fsck` has for them: `receive.fsck.<msg-id>` lets git take
 * them in. Source: `Documentation/fsck-msgids.txt`, those that stop a push by default with `receive.fsckObjects`
 * and stand in an object's content.
 */
export const ignorableFaults = [
  'badDate',
  'badDateOverflow',
  'badEmail',
  'badName',
  'badTimezone',
  'gitattributesLarge',
  'gitattributesLineLength',
  'largePathname',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'multipleAuthors',
  'nulInCommit',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
] as const

export type IgnorableFault = (typeof ignorableFaults)[number]

/** A fault of content, with git's name for it, by which it can be ignored. */
export function namedFault(id: string, reason: string): GitError {
  return fault('refused', `${reason} (${id})`)
}
