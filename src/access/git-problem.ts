import type { GitError, GitErrorKind } from '#git/errors.ts'
import { Problem } from '#kernel/errors.ts'

const statusOf: Record<GitErrorKind, number> = { corrupt: 422, missing: 404, limit: 413, protocol: 400, refused: 422 }

/** How HTTP says what the git library, which knows no statuses, has thrown. */
export function gitProblem(error: GitError): Problem {
  return new Problem(statusOf[error.kind], error.message, { cause: error })
}
