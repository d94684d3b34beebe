import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'

export const PayloadUser = t.Object({ name: t.String(), email: t.String(), username: t.String() }, { $id: 'PayloadUser' })

export const PayloadCommitVerification = t.Object(
  { verified: t.Boolean(), reason: t.String(), signature: t.String(), signer: t.Union([PayloadUser, t.Null()]), payload: t.String() },
  { $id: 'PayloadCommitVerification' },
)
export type PayloadCommitVerification = Static<typeof PayloadCommitVerification>

export const PayloadCommit = t.Object(
  {
    id: t.String(),
    message: t.String(),
    url: t.String(),
    author: PayloadUser,
    committer: PayloadUser,
    verification: PayloadCommitVerification,
    timestamp: t.String(),
    added: t.Null(),
    removed: t.Null(),
    modified: t.Null(),
  },
  { $id: 'PayloadCommit' },
)
export type PayloadCommit = Static<typeof PayloadCommit>

export const CommitUser = t.Object({ name: t.String(), email: t.String(), date: t.String() }, { $id: 'CommitUser' })
export type CommitUser = Static<typeof CommitUser>

export const CommitMeta = t.Object({ url: t.String(), sha: t.String(), created: t.String() }, { $id: 'CommitMeta' })

export const RepoCommit = t.Object(
  {
    url: t.String(),
    author: CommitUser,
    committer: CommitUser,
    message: t.String(),
    tree: CommitMeta,
    verification: t.Union([PayloadCommitVerification, t.Null()]),
  },
  { $id: 'RepoCommit' },
)

export const CommitAffectedFiles = t.Object({ filename: t.String(), status: t.String() }, { $id: 'CommitAffectedFiles' })
export const CommitStats = t.Object({ total: Int(), additions: Int(), deletions: Int() }, { $id: 'CommitStats' })

export const Commit = t.Object(
  {
    url: t.String(),
    sha: t.String(),
    created: t.String(),
    html_url: t.String(),
    commit: RepoCommit,
    author: t.Union([User, t.Null()]),
    committer: t.Union([User, t.Null()]),
    parents: t.Array(CommitMeta),
    files: t.Union([t.Array(CommitAffectedFiles), t.Null()]),
    stats: t.Union([CommitStats, t.Null()]),
  },
  { $id: 'Commit' },
)
export type Commit = Static<typeof Commit>
export const CommitList = t.Array(Commit)

export const Note = t.Object({ message: t.String(), commit: Commit }, { $id: 'Note' })

export const NoteOptions = t.Object({ message: t.String({ minLength: 1, maxLength: 1 << 20 }) }, { $id: 'NoteOptions' })

export const GitObject = t.Object({ type: t.String(), sha: t.String(), url: t.String() }, { $id: 'GitObject' })
export const Reference = t.Object({ ref: t.String(), url: t.String(), object: GitObject }, { $id: 'Reference' })
export type Reference = Static<typeof Reference>
export const ReferenceList = t.Array(Reference)

export const GitEntry = t.Object({ path: t.String(), mode: t.String(), type: t.String(), size: Int(), sha: t.String(), url: t.String() }, { $id: 'GitEntry' })
export const GitTreeResponse = t.Object(
  { sha: t.String(), url: t.String(), tree: t.Union([t.Array(GitEntry), t.Null()]), truncated: t.Boolean(), page: Int(), total_count: Int() },
  { $id: 'GitTreeResponse' },
)

export const GitBlobResponse = t.Object(
  {
    content: t.Union([t.String(), t.Null()]),
    encoding: t.Union([t.String(), t.Null()]),
    url: t.String(),
    sha: t.String(),
    size: Int(),
    lfs_oid: t.Optional(t.String()),
    lfs_size: t.Optional(Int()),
  },
  { $id: 'GitBlobResponse' },
)

export const GitBlobList = t.Array(GitBlobResponse)
export const BlobsQuery = t.Object({ shas: t.String({ maxLength: 8192, description: 'IDs of the blobs, separated by commas' }) })

export const AnnotatedTagObject = t.Object({ type: t.String(), url: t.String(), sha: t.String() }, { $id: 'AnnotatedTagObject' })
export const AnnotatedTag = t.Object(
  {
    tag: t.String(),
    sha: t.String(),
    url: t.String(),
    message: t.String(),
    tagger: CommitUser,
    object: AnnotatedTagObject,
    verification: PayloadCommitVerification,
  },
  { $id: 'AnnotatedTag' },
)

const Flag = (description: string) => t.Optional(t.String({ description: `${description} (true or false; default true)` }))
const Revision = (description: string) => t.Optional(t.String({ description, maxLength: 1024 }))

const details = {
  stat: Flag('include how many lines each commit adds and removes'),
  verification: Flag("include the verification of each commit's signature"),
  files: Flag('include the files that each commit changed'),
}
export const DetailsQuery = t.Object(details)
export type DetailsQuery = Static<typeof DetailsQuery>

export const CommitsQuery = t.Object({
  ...PageQuery.properties,
  ...details,
  sha: Revision('commit, branch or tag to start from; default: the default branch'),
  path: t.Optional(t.String({ description: 'only commits that changed this file or directory', maxLength: 4096 })),
  since: t.Optional(t.String({ description: 'only commits after this date (RFC 3339)', maxLength: 64 })),
  until: t.Optional(t.String({ description: 'only commits before this date (RFC 3339)', maxLength: 64 })),
  not: Revision('exclude commits that are reachable from this one'),
})
export type CommitsQuery = Static<typeof CommitsQuery>

export const TreeQuery = t.Object({
  recursive: t.Optional(t.String({ description: 'show all directories and files' })),
  page: PageQuery.properties.page,
  per_page: t.Optional(t.String({ description: 'number of items per page' })),
})
