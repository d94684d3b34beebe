import { flag, list, type SettingList, whole } from '#kernel/settings.ts'

/** Issues and pull requests. */
export const workSettings = {
  service: {
    ENABLE_TIMETRACKING: flag(true, 'Whether time can be tracked at all.'),
    ALLOW_CROSS_REPOSITORY_DEPENDENCIES: flag(true, 'Whether an issue can depend on one of another repository.'),
  },
  'repository.issue': {
    MAX_PINNED: whole(3, 'How many issues, and how many pull requests, a repository can pin.', 0, 1000),
  },
  'repository.pull-request': {
    CLOSE_KEYWORDS: list(
      ['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved'],
      'Words before a reference that close what it refers to, in commits and pull requests.',
    ),
    RETARGET_CHILDREN_ON_MERGE: flag(
      true,
      'When a branch is merged and deleted, open pull requests into it, also from forks, get the branch it was merged into as their base.',
    ),
    KEPT_VERSIONS: whole(
      0,
      'How many heads that forced pushes left behind are kept of a pull request; those that were reviewed are, besides. 0: all.',
      0,
      100_000,
    ),
    REOPEN_KEYWORDS: list(['reopen', 'reopens', 'reopened'], 'Words before a reference that open it again.'),
  },
  attachment: {
    ENABLED: flag(true, 'Whether files can be put beside issues and comments.'),
    ALLOWED_TYPES: list(
      [
        '.avif',
        '.cpuprofile',
        '.csv',
        '.dmp',
        '.docx',
        '.fodg',
        '.fodp',
        '.fods',
        '.fodt',
        '.gif',
        '.gz',
        '.jpeg',
        '.jpg',
        '.json',
        '.jsonc',
        '.log',
        '.md',
        '.mov',
        '.mp4',
        '.odf',
        '.odg',
        '.odp',
        '.ods',
        '.odt',
        '.patch',
        '.pdf',
        '.png',
        '.pptx',
        '.svg',
        '.tgz',
        '.txt',
        '.webm',
        '.webp',
        '.xls',
        '.xlsx',
        '.zip',
      ],
      'Endings and media types (image/*) of files that can be; empty or */* for all.',
    ),
    MAX_SIZE: whole(2048, 'Largest of these files, in MiB.', 1, 1_048_576),
    MAX_FILES: whole(50, 'How many of them an issue or comment can have beside it.', 1, 10_000),
  },
  ui: {
    REACTIONS: list(['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'], 'What people can react with.'),
  },
} as const satisfies SettingList
