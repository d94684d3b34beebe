import { type Static, t } from 'elysia'
import { CommitMeta } from '#code/commits/index.ts'

export const Tag = t.Object(
  { name: t.String(), message: t.String(), id: t.String(), commit: CommitMeta, zipball_url: t.String(), tarball_url: t.String() },
  { $id: 'Tag' },
)
export type Tag = Static<typeof Tag>
export const TagList = t.Array(Tag)

export const CreateTagOption = t.Object(
  {
    tag_name: t.String({ minLength: 1, maxLength: 255 }),
    message: t.Optional(t.String({ maxLength: 65_536, description: 'message of the tag; creates an annotated tag' })),
    target: t.Optional(t.String({ maxLength: 1024, description: 'branch, tag or commit; default: the default branch' })),
  },
  { $id: 'CreateTagOption' },
)
export type CreateTagOption = Static<typeof CreateTagOption>
