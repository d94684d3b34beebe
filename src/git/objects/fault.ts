import type { GitErrorKind } from '../errors.ts'
import { GitError } from '../errors.ts'

/** What is wrong with an object's content: `corrupt` (not git's syntax), `refused` (hostile) or `limit`. */
export function fault(kind: GitErrorKind, reason: string): GitError {
  return new GitError(kind, `Cannot accept object: ${reason}`)
}
