import { type SettingList, whole } from '#kernel/settings.ts'

/** Files that are kept by their digest. */
export const blobSettings = {
  storage: {
    BLOB_GRACE_HOURS: whole(24, 'How long a file that nothing names any more is kept.', 0),
  },
} as const satisfies SettingList
