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
  target_commitish: t.Optional(t.String({ maxLength: 255, description: 'branch or commit for the tag if it does not exist yet; default: the default branch' })),
  name: t.Optional(t.String({ maxLength: 1024 })),
  body: t.Optional(t.String({ maxLength: 1_048_576 })),
  draft: t.Optional(t.Boolean({ description: 'a draft is visible only to users with write access, and its tag is not created yet' })),
  prerelease: t.Optional(t.Boolean()),
}
export const CreateReleaseOption = t.Object(
  {
    tag_name: t.String({ minLength: 1, maxLength: 255 }),
    tag_message: t.Optional(t.String({ maxLength: 65_536, description: 'message of the tag; creates an annotated tag' })),
    ...rest,
  },
  { $id: 'CreateReleaseOption' },
)
export type CreateReleaseOption = Static<typeof CreateReleaseOption>

export const EditReleaseOption = t.Object({ tag_name: t.Optional(t.String({ maxLength: 255 })), ...rest }, { $id: 'EditReleaseOption' })
export type EditReleaseOption = Static<typeof EditReleaseOption>

export const ReleasesQuery = t.Object({
  ...PageQuery.properties,
  draft: t.Optional(t.String({ description: 'true: only drafts; false: no drafts' })),
  'pre-release': t.Optional(t.String({ description: 'true: only pre-releases; false: no pre-releases' })),
  q: t.Optional(t.String({ maxLength: 255, description: 'text to find in the tag, the name or the body' })),
})
export type ReleasesQuery = Static<typeof ReleasesQuery>

export const ReleaseParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the release') })
export const AssetParams = t.Object({ ...ReleaseParams.properties, attachment_id: IdText('ID of the attachment') })
export const TagParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'tag', description: 'tag name of the release' }) })

export const EditReleaseAssetOption = t.Object({ name: t.Optional(t.String({ maxLength: 255 })) }, { $id: 'EditAttachmentOptions' })
export const UploadQuery = t.Object({
  name: t.Optional(t.String({ maxLength: 1024, description: 'name of the attachment; default: the name of the file' })),
  filename: t.Optional(t.String({ maxLength: 1024, description: 'same as name' })),
})
