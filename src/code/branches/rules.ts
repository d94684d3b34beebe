import type { RepoRow } from '#access/index.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'

/** @throws NotFound while the repository is empty; Forbidden in mirrors, whose branches come from elsewhere */
export function refuseUnchangeable(repo: RepoRow): void {
  if (repo.is_empty === 1) throw new NotFound('Git Repository is empty.')
  if (repo.is_mirror === 1) throw new Forbidden('Git Repository is a mirror.')
}

/** @throws Forbidden when the branch is the one that HEAD points at */
export function refuseDefault(repo: RepoRow, name: string): void {
  if (name === repo.default_branch) throw new Forbidden('can not delete default or pull request target branch')
}
