import { type Static, t } from 'elysia'
import { IdText, PageQuery, RepoParams } from '#access/index.ts'
import { AttachmentList } from '#blobs/index.ts'
import { Int, Time } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'

export const Release = t.Object(
  {
    id: Int(),
    tag_name: t.String(),
    target_commitish: t.String(),
    name: t.String(),
    body: t.String(),
    url: t.String(),
    html_url: t.String(),
    tarball_url: t.String(),
    zipball_url: t.String(),
    upload_url: t.String(),
    hide_archive_links: t.Boolean(),
    draft: t.Boolean(),
    prerelease: t.Boolean(),
    created_at: Time,
    published_at: Time,
    author: t.Union([User, t.Null()]),
    assets: AttachmentList,
  },
  { $id: 'Release' },
)
export type Release = Static<typeof Release>
export const ReleaseList = t.Array(Release)

const rest = {
  target_commitish: t.Optional(
    t.String({ maxLength: 255, description: 'branch or commit to make the tag at, unless it is there; default: the default branch' }),
  ),
  name: t.Optional(t.String({ maxLength: 1024 })),
  body: t.Optional(t.String({ maxLength: 1_048_576 })),
  draft: t.Optional(t.Boolean({ description: 'whether it is shown to writers alone, and its tag not made yet' })),
  prerelease: t.Optional(t.Boolean()),
}
export const CreateReleaseOption = t.Object(
  {
    tag_name: t.String({ minLength: 1, maxLength: 255 }),
    tag_message: t.Optional(t.String({ maxLength: 65_536, description: 'makes the tag an annotated one' })),
    ...rest,
  },
  { $id: 'CreateReleaseOption' },
)
export type CreateReleaseOption = Static<typeof CreateReleaseOption>

export const EditReleaseOption = t.Object({ tag_name: t.Optional(t.String({ maxLength: 255 })), ...rest }, { $id: 'EditReleaseOption' })
export type EditReleaseOption = Static<typeof EditReleaseOption>

export const ReleasesQuery = t.Object({
  ...PageQuery.properties,
  draft: t.Optional(t.String({ description: 'only drafts, or none (true or false)' })),
  'pre-release': t.Optional(t.String({ description: 'only prereleases, or none (true or false)' })),
  q: t.Optional(t.String({ maxLength: 255, description: 'what occurs in the tag, the name or the text' })),
})
export type ReleasesQuery = Static<typeof ReleasesQuery>

export const ReleaseParams = t.Object({ ...RepoParams.properties, id: IdText('id of the release') })
export const AssetParams = t.Object({ ...ReleaseParams.properties, attachment_id: IdText('id of the attachment') })
export const TagParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'tag', description: 'tag name of the release' }) })

export const EditReleaseAssetOption = t.Object({ name: t.Optional(t.String({ maxLength: 255 })) }, { $id: 'EditAttachmentOptions' })
export const UploadQuery = t.Object({
  name: t.Optional(t.String({ maxLength: 1024, description: "what it is to be called, in place of the file's own name" })),
  filename: t.Optional(t.String({ maxLength: 1024, description: 'the same' })),
})
