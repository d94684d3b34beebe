import { flag, list, type SettingList, whole } from '#kernel/settings.ts'

/** How much of what repositories hold one answer shows. */
export const codeSettings = {
  repository: {
    ARCHIVE_CACHE_SIZE: whole(
      1_073_741_824,
      'Maximum size of the repository archive cache on disk, in bytes. The least recently used archives are removed first.',
      0,
    ),
  },
  'repository.release': {
    ALLOWED_TYPES: list([], 'File extensions (.zip) and media types (application/zip, image/*) allowed as release attachments. Empty: all.'),
    FILE_MAX_SIZE: whole(2048, 'Maximum size of a release attachment, in MiB.', 1, 1_048_576),
    MAX_FILES: whole(1000, 'Maximum number of attachments per release.', 1, 100_000),
  },
  api: {
    DEFAULT_GIT_TREES_PER_PAGE: whole(1000, 'Default number of entries per page of the git trees API.', 1, 100_000),
    DEFAULT_MAX_BLOB_SIZE: whole(10_485_760, 'Maximum size of a file whose content the API returns as JSON, in bytes.', 1),
    STATUSES_AS_LIST: flag(
      false,
      'Return a list from GET …/commits/{ref}/statuses even if the request has no paging, state or sort parameters. Otherwise such a request returns the combined status.',
    ),
    DEFAULT_MAX_RESPONSE_SIZE: whole(104_857_600, 'Maximum total size of the file contents in one JSON response, in bytes.', 1),
    MAX_DIFF_FILES: whole(100_000, 'Maximum number of files in a diff or patch.', 1),
    MAX_DIFF_FILE_SIZE: whole(67_108_864, 'Maximum size of a file whose lines a diff or patch shows, in bytes.', 1),
  },
} as const satisfies SettingList
