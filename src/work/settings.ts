import { flag, list, type SettingList, whole } from '#kernel/settings.ts'

/** Issues and pull requests. */
export const workSettings = {
  service: {
    ENABLE_TIMETRACKING: flag(true, 'Enables time tracking. Repositories can turn it off.'),
    ALLOW_CROSS_REPOSITORY_DEPENDENCIES: flag(true, 'Allows dependencies between issues of different repositories.'),
  },
  'repository.issue': {
    MAX_PINNED: whole(3, 'Maximum number of pinned issues, and of pinned pull requests, in a repository.', 0, 1000),
  },
  'repository.pull-request': {
    CLOSE_KEYWORDS: list(
      ['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved'],
      'Keywords in commits and pull requests that close the referenced issue.',
    ),
    RETARGET_CHILDREN_ON_MERGE: flag(
      true,
      'When a branch is merged and deleted, changes the base of open pull requests into that branch (also from forks) to the branch it was merged into.',
    ),
    KEPT_VERSIONS: whole(
      0,
      'Maximum number of versions that are kept of a pull request after force pushes, in addition to reviewed versions. 0 keeps all versions.',
      0,
      100_000,
    ),
    REOPEN_KEYWORDS: list(['reopen', 'reopens', 'reopened'], 'Keywords in commits and pull requests that reopen the referenced issue.'),
  },
  attachment: {
    ENABLED: flag(true, 'Enables attachments on issues and comments.'),
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
      'File extensions and media types (such as image/*) that can be attached. Empty or */* allows all.',
    ),
    MAX_SIZE: whole(2048, 'Maximum size of an attachment, in MiB.', 1, 1_048_576),
    MAX_FILES: whole(50, 'Maximum number of attachments of an issue or a comment.', 1, 10_000),
  },
  ui: {
    REACTIONS: list(['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'], 'Reactions that users can add.'),
  },
} as const satisfies SettingList
