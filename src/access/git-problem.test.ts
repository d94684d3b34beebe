import { expect, test } from 'bun:test'
import { GitError, type GitErrorKind } from '#git/errors.ts'
import { carry, revive } from '#git/workers/carried-error.ts'
import { diskProblem } from '#kernel/disk-trouble.ts'
import { Problem } from '#kernel/errors.ts'
import { gitProblem } from './git-problem.ts'

const kinds: [GitErrorKind, number][] = [
  ['absent', 404],
  ['limit', 413],
  ['protocol', 400],
  ['refused', 422],
]

function caused(kind: GitErrorKind, code: string): GitError {
  const cause = Object.assign(new Error(`${code}: read`), { code, syscall: 'read' })
  return new GitError(kind, 'HEAD cannot be read', { cause: new Error('in between', { cause }) })
}

test.each(kinds)('what is %s is the fault of who asks, unless the disk has refused, also in another thread', (kind, status) => {
  for (const across of [(error: GitError) => error, (error: GitError) => revive(carry(error)) as GitError]) {
    expect(gitProblem(across(new GitError(kind, 'no')))).toMatchObject({ status, message: 'no' })
    expect(gitProblem(across(caused(kind, 'ENOENT')))).toMatchObject({ status })
    const refused = gitProblem(across(caused(kind, 'EIO')))
    expect(refused).not.toBeInstanceOf(Problem)
    expect(diskProblem(refused)).toMatchObject({ status: 503, message: expect.stringContaining("The server's disk reports errors") })
  }
})
