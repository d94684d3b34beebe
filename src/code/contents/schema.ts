import { type Static, t } from 'elysia'
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

export const RefQuery = t.Object({
  ref: t.Optional(t.String({ description: 'branch, tag or commit; default: the default branch', maxLength: 1024 })),
})
