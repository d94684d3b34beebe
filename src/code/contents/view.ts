import type { RepoAccess } from '#access/index.ts'
import { identTime, presentIdent, type Revision, zeroTime } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { FoundPath } from '#git/browse/open-path.ts'
import type { Oid } from '#git/objects/oid.ts'
import { encodePath } from '#kernel/http.ts'
import { repoApiUrl, repoUrl } from '#repositories/repos/index.ts'
import type { ContentsResponse, FileCommitResponse } from './schema.ts'

export type ContentType = 'file' | 'dir' | 'symlink' | 'submodule'

/** What is shown of one path: where it was found, and what goes with it. */
export interface Shown {
  repo: RepoAccess
  revision: Revision
  /** The revision as the client named it. */
  ref: string
  path: string
  entry: Pick<FoundPath, 'mode' | 'oid' | 'size'>
  /** The commit that last changed it. */
  last?: CommitDetails
}

/** A path without content; `content`, `target` and `submodule_git_url` are for the caller to fill. */
export function presentContents(context: Pick<Context, 'rootUrl'>, { repo, revision, ref, path, entry, last }: Shown): ContentsResponse {
  const type = contentType(entry.mode)
  const api = repoApiUrl(context, repo.owner, repo.row)
  const html = repoUrl(context, repo.owner, repo.row)
  const place = `${revision.kind}/${encodePath(revision.name)}/${encodePath(path)}`
  const url = `${api}/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`
  const htmlUrl = type === 'submodule' ? null : `${html}/src/${place}`
  const gitUrl = type === 'submodule' ? null : `${api}/git/${type === 'dir' ? 'trees' : 'blobs'}/${entry.oid}`
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha: entry.oid,
    ...(last && presentLast(last)),
    type,
    size: entry.size,
    encoding: null,
    content: null,
    target: null,
    url,
    html_url: htmlUrl,
    git_url: gitUrl,
    download_url: type === 'file' || type === 'symlink' ? `${html}/raw/${place}` : null,
    submodule_git_url: null,
    _links: { self: url, git: gitUrl, html: htmlUrl },
  }
}

export function contentType(mode: number): ContentType {
  const bits = mode & 0o170000
  if (bits === 0o040000) return 'dir'
  if (bits === 0o120000) return 'symlink'
  return bits === 0o160000 ? 'submodule' : 'file'
}

function presentLast({ oid, commit }: CommitDetails) {
  return {
    last_commit_sha: oid,
    last_committer_date: identTime(commit.committer),
    last_author_date: identTime(commit.author),
    last_commit_message: commit.message,
  }
}

/** The commit that a change of files made. */
export function presentFileCommit(context: Pick<Context, 'rootUrl'>, { owner, row }: RepoAccess, { oid, commit }: CommitDetails): FileCommitResponse {
  const base = `${repoApiUrl(context, owner, row)}/git`
  const created = identTime(commit.committer)
  const meta = (kind: 'commits' | 'trees', sha: Oid, at: string) => ({ url: `${base}/${kind}/${sha}`, sha, created: at })
  return {
    url: `${base}/commits/${oid}`,
    sha: oid,
    created: zeroTime,
    html_url: `${repoUrl(context, owner, row)}/commit/${oid}`,
    author: presentIdent(commit.author),
    committer: presentIdent(commit.committer),
    parents: commit.parents.map((parent) => meta('commits', parent, zeroTime)),
    message: commit.message,
    tree: meta('trees', commit.tree, created),
  }
}
