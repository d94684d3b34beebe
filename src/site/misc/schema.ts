import { t } from 'elysia'
import { Int } from '#kernel/schema.ts'

export const ServerVersion = t.Object({ version: t.String() }, { $id: 'ServerVersion' })

export const GeneralAPISettings = t.Object(
  {
    max_response_items: Int(),
    default_paging_num: Int(),
    default_git_trees_per_page: Int(),
    default_max_blob_size: Int(),
    default_max_response_size: Int(),
  },
  { $id: 'GeneralAPISettings' },
)

export const GeneralUISettings = t.Object(
  { default_theme: t.String(), allowed_reactions: t.Array(t.String()), custom_emojis: t.Array(t.String()) },
  { $id: 'GeneralUISettings' },
)

export const GeneralRepoSettings = t.Object(
  {
    mirrors_disabled: t.Boolean(),
    http_git_disabled: t.Boolean(),
    migrations_disabled: t.Boolean(),
    stars_disabled: t.Boolean(),
    time_tracking_disabled: t.Boolean(),
    lfs_disabled: t.Boolean(),
    forks_disabled: t.Boolean(),
  },
  { $id: 'GeneralRepoSettings' },
)

export const GeneralAttachmentSettings = t.Object(
  {
    enabled: t.Boolean(),
    allowed_types: t.String({ description: 'file extensions and media types, separated by commas; empty allows all' }),
    max_size: Int({ description: 'in MB' }),
    max_files: Int(),
  },
  { $id: 'GeneralAttachmentSettings' },
)
