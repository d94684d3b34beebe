import { flag, list, type SettingList, whole } from '#kernel/settings.ts'

/** Issues and pull requests. */
export const workSettings = {
  service: {
    ENABLE_TIMETRACKING: flag(true, 'Enable time tracking.'),
    ALLOW_CROSS_REPOSITORY_DEPENDENCIES: flag(true, 'Allow issues to depend on issues of other repositories.'),
  },
  'repository.issue': {
    MAX_PINNED: whole(3, 'Maximum number of pinned issues, and of pinned pull requests, per repository.', 0, 1000),
  },
  'repository.pull-request': {
    CLOSE_KEYWORDS: list(
      ['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved'],
      'Keywords before an issue reference in a commit or pull request that close the issue.',
    ),
    RETARGET_CHILDREN_ON_MERGE: flag(
      true,
      'When a pull request is merged and its branch is deleted, change the base of open pull requests into that branch to the branch it was merged into.',
    ),
    KEPT_VERSIONS: whole(
      0,
      'Maximum number of earlier versions to keep per pull request after force pushes. Reviewed versions are always kept. 0 keeps all.',
      0,
      100_000,
    ),
    REOPEN_KEYWORDS: list(['reopen', 'reopens', 'reopened'], 'Keywords before an issue reference in a commit or pull request that reopen the issue.'),
  },
  attachment: {
    ENABLED: flag(true, 'Allow attachments on issues and comments.'),
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
      'File extensions (.png) and media types (image/*) allowed as issue attachments. Empty or */*: all.',
    ),
    MAX_SIZE: whole(2048, 'Maximum size of an issue attachment, in MiB.', 1, 1_048_576),
    MAX_FILES: whole(50, 'Maximum number of attachments per issue or comment.', 1, 10_000),
  },
  ui: {
    REACTIONS: list(['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'], 'Reactions that users can choose.'),
  },
} as const satisfies SettingList
