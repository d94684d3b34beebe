import { type Static, t } from 'elysia'
import { RepoParams } from '#access/index.ts'
import { CommitMeta, CommitUser, PayloadCommitVerification } from '#code/commits/index.ts'
import { Int } from '#kernel/schema.ts'

const Text = t.Union([t.String(), t.Null()])

export const FileLinksResponse = t.Object({ self: t.String(), git: Text, html: Text }, { $id: 'FileLinksResponse' })

export const ContentsResponse = t.Object(
  {
    name: t.String(),
    path: t.String(),
    sha: t.String(),
    last_commit_sha: t.Optional(t.String()),
    last_committer_date: t.Optional(t.String()),
    last_author_date: t.Optional(t.String()),
    last_commit_message: t.Optional(t.String()),
    type: t.String({ description: 'file, dir, symlink or submodule' }),
    size: Int(),
    encoding: Text,
    content: Text,
    target: Text,
    url: t.String(),
    html_url: Text,
    git_url: Text,
    download_url: Text,
    submodule_git_url: Text,
    lfs_oid: t.Optional(t.String()),
    lfs_size: t.Optional(Int()),
    _links: FileLinksResponse,
  },
  { $id: 'ContentsResponse' },
)
export type ContentsResponse = Static<typeof ContentsResponse>
export const ContentsListResponse = t.Array(ContentsResponse)

export const MaybeContentsList = t.Array(t.Union([ContentsResponse, t.Null()]))
export const ContentsExtResponse = t.Object(
  { file_contents: t.Optional(ContentsResponse), dir_contents: t.Optional(ContentsListResponse) },
  { $id: 'ContentsExtResponse' },
)
export type ContentsExtResponse = Static<typeof ContentsExtResponse>

export const PathParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'filepath', description: 'path of the file or directory' }) })

export const RefQuery = t.Object({
  ref: t.Optional(t.String({ description: 'branch, tag or commit; default: the default branch', maxLength: 1024 })),
})

export const ContentsExtQuery = t.Object({
  ...RefQuery.properties,
  includes: t.Optional(
    t.String({ maxLength: 255, description: 'comma-separated parts to include: file_content, lfs_metadata, commit_metadata, commit_message' }),
  ),
})

/** More paths than are ever answered are no mistake; the rest is left out. */
const MAX_PATHS = 1000
export const GetFilesOptions = t.Object(
  { files: t.Optional(t.Array(t.String({ maxLength: 4096 }), { maxItems: MAX_PATHS, description: 'paths of the files' })) },
  { $id: 'GetFilesOptions' },
)
export const FilesQuery = t.Object({
  ...RefQuery.properties,
  body: t.String({ maxLength: 65_536, description: 'the JSON body of the POST variant: {"files": ["path"]}' }),
})

const Identity = t.Object({ name: t.Optional(t.String({ maxLength: 255 })), email: t.Optional(t.String({ maxLength: 255 })) }, { $id: 'Identity' })
export type Identity = Static<typeof Identity>
const CommitDateOptions = t.Object(
  { author: t.Optional(t.String({ maxLength: 64 })), committer: t.Optional(t.String({ maxLength: 64 })) },
  { $id: 'CommitDateOptions' },
)

/** What every change of files says of the commit that it makes. */
const commitOptions = {
  message: t.Optional(t.String({ maxLength: 65_536 })),
  branch: t.Optional(t.String({ maxLength: 1024, description: 'branch to base this on; default: the default branch' })),
  new_branch: t.Optional(t.String({ maxLength: 1024, description: 'new branch to create for the commit' })),
  force_push: t.Optional(t.Boolean({ description: 'overwrite new_branch if it exists' })),
  author: t.Optional(Identity),
  committer: t.Optional(Identity),
  dates: t.Optional(CommitDateOptions),
  signoff: t.Optional(t.Boolean({ description: "add the committer's Signed-off-by to the message" })),
}
const CommitOptions = t.Object(commitOptions)
export type CommitOptions = Static<typeof CommitOptions>

const Content = t.String({ maxLength: 67_108_864, description: 'new content, in base64' })
const Sha = t.String({ maxLength: 64, description: 'ID of the current blob of the file' })
const FromPath = t.String({ maxLength: 4096, description: 'previous path of the file' })

export const CreateFileOptions = t.Object({ ...commitOptions, content: Content }, { $id: 'CreateFileOptions' })
export const UpdateFileOptions = t.Object(
  { ...commitOptions, content: Content, sha: t.Optional(Sha), from_path: t.Optional(FromPath) },
  { $id: 'UpdateFileOptions' },
)
export const DeleteFileOptions = t.Object({ ...commitOptions, sha: Sha }, { $id: 'DeleteFileOptions' })
export const operations = ['create', 'update', 'upload', 'rename', 'delete'] as const
const ChangeFileOperation = t.Object(
  {
    operation: t.Union(operations.map((one) => t.Literal(one))),
    path: t.String({ minLength: 1, maxLength: 4096 }),
    content: t.Optional(Content),
    sha: t.Optional(Sha),
    from_path: t.Optional(FromPath),
  },
  { $id: 'ChangeFileOperation' },
)
export type ChangeFileOperation = Static<typeof ChangeFileOperation>
export const ChangeFilesOptions = t.Object(
  { ...commitOptions, files: t.Array(ChangeFileOperation, { minItems: 1, maxItems: 5000 }) },
  { $id: 'ChangeFilesOptions' },
)

export const ApplyDiffPatchFileOptions = t.Object(
  { ...commitOptions, content: t.String({ minLength: 1, maxLength: 64 << 20, description: 'patch in the format of git diff or git format-patch' }) },
  { $id: 'ApplyDiffPatchFileOptions' },
)

export const FileCommitResponse = t.Object(
  {
    url: t.String(),
    sha: t.String(),
    created: t.String(),
    html_url: t.String(),
    author: CommitUser,
    committer: CommitUser,
    parents: t.Array(CommitMeta),
    message: t.String(),
    tree: CommitMeta,
  },
  { $id: 'FileCommitResponse' },
)
export type FileCommitResponse = Static<typeof FileCommitResponse>
const made = { commit: FileCommitResponse, verification: PayloadCommitVerification }
const MaybeContents = t.Union([ContentsResponse, t.Null()])
export const FileResponse = t.Object({ content: MaybeContents, ...made }, { $id: 'FileResponse' })
export const FileDeleteResponse = t.Object({ content: t.Null(), ...made }, { $id: 'FileDeleteResponse' })
export const FilesResponse = t.Object({ files: t.Array(MaybeContents), ...made }, { $id: 'FilesResponse' })
export type FilesResponse = Static<typeof FilesResponse>
