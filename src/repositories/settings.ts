import { defaultLimits } from '#git/limits.ts'
import { ignorableFaults } from '#git/objects/fsck-messages.ts'
import { HEADS, isRefName } from '#git/refs/names.ts'
import { MEMORY_BYTES } from '#git/workers/task-kinds.ts'
import { flag, oneOf, type SettingList, seconds, setting, someOf, whole } from '#kernel/settings.ts'

/** No repository could be created with another one. */
function readBranch(value: unknown): string {
  if (typeof value !== 'string' || !isRefName(HEADS + value)) throw new Error('expected a branch name, such as main')
  return value
}

/** Repositories, and the bounds of what git may bring and take. */
export const repositoriesSettings = {
  service: {
    AUTO_WATCH_NEW_REPOS: flag(true, 'Users automatically watch the repositories that they create and the repositories that their teams get access to.'),
  },
  repository: {
    DEFAULT_BRANCH: setting('main', 'Default branch of new repositories.', readBranch),
    DEFAULT_PRIVATE: oneOf(['last', 'private', 'public'], 'last', 'Default visibility of new repositories. last: as requested, otherwise public.'),
    ENABLE_PUSH_CREATE_USER: flag(true, "A push to a repository that does not exist in the user's own account creates it."),
    ENABLE_PUSH_CREATE_ORG: flag(true, 'A push to a repository that does not exist in an organization creates it, if the user can create repositories there.'),
    DEFAULT_PUSH_CREATE_PRIVATE: flag(true, 'Repositories created by a push are private.'),
    DELETED_KEPT_DAYS: whole(
      7,
      'Number of days in which deleted comments, labels and milestones can be restored. Afterwards they are removed permanently. 0: immediately.',
      0,
      3650,
    ),
    MAX_CREATION_LIMIT: whole(-1, 'Maximum number of repositories that a user can own. -1: no limit.', -1),
  },
  git: {
    MAX_PACK_SIZE: whole(defaultLimits.maxPackBytes, 'Maximum size of the pack of a push, in bytes.', 1024),
    MAX_OBJECT_SIZE: whole(defaultLimits.maxObjectBytes, 'Maximum size of an object, uncompressed, in bytes.', 1024),
    MAX_INFLATED_SIZE: whole(defaultLimits.maxInflatedBytes, 'Maximum total size of the objects of a push, uncompressed, in bytes.', 1024),
    MAX_EXPANSION: whole(
      defaultLimits.maxExpansion,
      'Maximum ratio of the uncompressed to the compressed size of a push. Applies beyond twice MAX_OBJECT_SIZE.',
      1,
    ),
    MAX_PACK_OBJECTS: whole(defaultLimits.maxPackObjects, 'Maximum number of objects in a push.', 1),
    MAX_DELTA_DEPTH: whole(defaultLimits.maxDeltaDepth, 'Maximum length of a delta chain.', 1, 4095),
    MAX_COMMIT_SIZE: whole(defaultLimits.maxCommitBytes, 'Maximum size of a commit or tag, including its message, in bytes.', 1024),
    MAX_COMMIT_EXPANSION: whole(
      defaultLimits.maxCommitExpansion,
      'Maximum ratio of the uncompressed size of all commits and tags to the size of a push. Applies beyond MAX_COMMIT_SIZE.',
      1,
    ),
    MAX_TREE_ENTRIES: whole(defaultLimits.maxTreeEntries, 'Maximum number of entries in a directory.', 1),
    MAX_TREE_DEPTH: whole(defaultLimits.maxTreeDepth, 'Maximum directory depth for listings and comparisons.', 1, 65536),
    FSCK_IGNORE: someOf(ignorableFaults, 'Object errors in old histories that pushes are allowed to contain, named as in receive.fsck.<msg-id> of git.'),
    MAX_COMMANDS: whole(defaultLimits.maxCommands, 'Maximum number of ref updates in a push, and of wants and haves in a fetch.', 1),
    DELTA_CACHE_SIZE: whole(defaultLimits.deltaCacheBytes, 'Memory for delta bases per push, in bytes.', 1_048_576),
    MEMORY: whole(
      MEMORY_BYTES,
      'Total memory for pushes, blame, path logs, comparisons and archives, in bytes. Requests that need more wait.',
      64 * 1024 * 1024,
    ),
    WORKERS: whole(0, 'Number of worker threads for git operations. 0: one per core, at least 2 and at most 8.', 0, 64),
    PULL_REQUEST_PUSH_MESSAGE: flag(true, 'After a push of a branch, print the URL for opening a pull request, or the URL of the existing one.'),
    REQUEST_SECONDS: seconds(3600, 'Timeout of a fetch or push, in seconds.', 1),
    GC_GRACE_HOURS: whole(336, 'Hours for which unreachable objects are kept and deleted branches can be restored.', 0),
    UPKEEP_SECONDS: seconds(600, 'Interval of repository maintenance, in seconds. 0: never.', 0),
    CHECK_DAYS: whole(30, 'Interval in days at which packs are read completely to detect damage early. 0: never.', 0, 36_500),
    MAX_PACKS: whole(50, 'Number of packs in a repository above which maintenance combines them.', 2),
  },
  'git.reflog': {
    EXPIRATION: whole(90, 'Number of days for which reflog entries are kept.', 1, 36_500),
  },
} as const satisfies SettingList
