import { flag, list, type SettingList, whole } from '#kernel/settings.ts'

/** How much of what repositories hold one answer shows. */
export const codeSettings = {
  repository: {
    ARCHIVE_CACHE_SIZE: whole(1_073_741_824, 'What archives that were asked for may take on disk, in bytes; those asked for longest ago go first.', 0),
  },
  'repository.release': {
    ALLOWED_TYPES: list([], 'Endings (.zip) and media types (application/zip, image/*) of files that releases can have; empty: all.'),
    FILE_MAX_SIZE: whole(2048, 'Largest of these files, in MiB.', 1, 1_048_576),
    MAX_FILES: whole(1000, 'How many of them a release can have.', 1, 100_000),
  },
  api: {
    DEFAULT_GIT_TREES_PER_PAGE: whole(1000, 'Page size of git trees.', 1, 100_000),
    DEFAULT_MAX_BLOB_SIZE: whole(10_485_760, 'Largest file content the API answers as JSON, in bytes.', 1),
    STATUSES_AS_LIST: flag(false, 'GET …/commits/{ref}/statuses answers a list even where nobody asks for a part of one.'),
    DEFAULT_MAX_RESPONSE_SIZE: whole(104_857_600, 'Largest sum of file contents in one JSON answer, in bytes.', 1),
    MAX_DIFF_FILES: whole(100_000, 'Files that one diff or patch shows at most.', 1),
    MAX_DIFF_FILE_SIZE: whole(67_108_864, 'Largest file whose changed lines a diff or patch shows, in bytes.', 1),
  },
} as const satisfies SettingList
