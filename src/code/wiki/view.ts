import type { RepoAccess } from '#access/index.ts'
import { presentIdent } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import { repoUrl } from '#repositories/repos/index.ts'
import { titleOf } from './page-names.ts'

export function presentWikiCommit({ oid, commit }: CommitDetails) {
  return { sha: oid, author: presentIdent(commit.author), commiter: presentIdent(commit.committer), message: commit.message }
}

/** A page as lists show it. */
export function presentPageMeta(context: Pick<Context, 'db' | 'rootUrl'>, { owner, row }: RepoAccess, name: string, last: CommitDetails) {
  return {
    title: titleOf(name),
    html_url: `${repoUrl(context, owner, row)}/wiki/${name}`,
    sub_url: name,
    last_commit: presentWikiCommit(last),
  }
}
