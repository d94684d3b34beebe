import type { GitError, GitErrorKind } from '#git/errors.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { Problem } from '#kernel/errors.ts'

const statusOf: Record<Exclude<GitErrorKind, 'corrupt'>, number> = { missing: 404, limit: 413, protocol: 400, refused: 422 }

/**
 * How HTTP says what the git library, which knows no statuses, has thrown. A stored object that cannot be read is nothing that who
 * asks for it can help: that stays an error, for the log. So does what the disk has refused, whatever the library was at then.
 */
export function gitProblem(error: GitError): Problem | GitError {
  return error.kind === 'corrupt' || diskTroubleOf(error) ? error : new Problem(statusOf[error.kind], error.message, { cause: error })
}
