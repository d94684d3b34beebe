import { type GitError, type GitErrorKind, isLoss } from '#git/errors.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { Problem } from '#kernel/errors.ts'

const statusOf: Record<Exclude<GitErrorKind, 'corrupt' | 'missing'>, number> = { absent: 404, limit: 413, protocol: 400, refused: 422 }

/**
 * How HTTP says what the git library, which knows no statuses, has thrown. A stored object that cannot be read, or that a ref or another
 * object names and the store has lost, is nothing that who asks can help: that stays an error, for the log. So does what the disk has refused, whatever the library was at then.
 */
export function gitProblem(error: GitError): Problem | GitError {
  const { kind, message } = error
  if (isLoss(error) || diskTroubleOf(error)) return error
  return new Problem(statusOf[kind as keyof typeof statusOf], message, { cause: error })
}
