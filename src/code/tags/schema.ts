import { type Static, t } from 'elysia'
import { CommitMeta } from '#code/commits/index.ts'

export const Tag = t.Object(
  { name: t.String(), message: t.String(), id: t.String(), commit: CommitMeta, zipball_url: t.String(), tarball_url: t.String() },
  { $id: 'Tag' },
)
export type Tag = Static<typeof Tag>
export const TagList = t.Array(Tag)
