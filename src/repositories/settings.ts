import { defaultLimits } from '#git/limits.ts'
import { ignorableFaults } from '#git/objects/fsck-messages.ts'
import { HEADS, isRefName } from '#git/refs/names.ts'
import { MEMORY_BYTES } from '#git/workers/task-kinds.ts'
import { flag, oneOf, type SettingList, seconds, setting, someOf, whole } from '#kernel/settings.ts'
import { hostList } from '#outbound/network/index.ts'

/** No repository could be created with another one. */
function readBranch(value: unknown): string {
  if (typeof value !== 'string' || !isRefName(HEADS + value)) throw new Error('expected a branch name, such as main')
  return value
}

const MIGRATION_HOSTS_DOC =
  'Hosts that repositories may be imported from: external, private, loopback, * for all three, networks (10.0.0.0/8), host name patterns (*.example.org). Cloud metadata addresses and other special ranges are always blocked. Empty: external and private; also loopback for site administrators, or if the server listens on loopback only.'

/** Repositories, and the bounds of what git may bring and take. */
export const repositoriesSettings = {
  service: {
    AUTO_WATCH_NEW_REPOS: flag(true, 'Watch repositories automatically when you create them or get access to them through a team.'),
  },
  migrations: {
    ALLOWED_HOST_LIST: hostList(MIGRATION_HOSTS_DOC),
  },
  repository: {
    DISABLE_MIGRATIONS: flag(false, 'Disable imports of repositories from other servers.'),
    DEFAULT_BRANCH: setting('main', 'Default branch name of new repositories.', readBranch),
    DEFAULT_PRIVATE: oneOf(
      ['last', 'private', 'public'],
      'last',
      'Default visibility of new repositories if the request does not specify it. last is the same as public.',
    ),
    ENABLE_PUSH_CREATE_USER: flag(true, 'Allow users to create a repository of their own by pushing to it.'),
    ENABLE_PUSH_CREATE_ORG: flag(true, 'Allow users to create a repository in an organization by pushing to it, if they can create repositories there.'),
    DEFAULT_PUSH_CREATE_PRIVATE: flag(true, 'Make repositories that are created by a push private.'),
    DELETED_KEPT_DAYS: whole(7, 'Days during which deleted comments, labels and milestones can be restored. 0 purges them immediately.', 0, 3650),
    MAX_CREATION_LIMIT: whole(-1, 'Maximum number of repositories that a user can own. -1: no limit.', -1),
  },
  git: {
    MAX_PACK_SIZE: whole(defaultLimits.maxPackBytes, 'Maximum size of a pushed pack, in bytes.', 1024),
    MAX_OBJECT_SIZE: whole(defaultLimits.maxObjectBytes, 'Maximum uncompressed size of a pushed object, in bytes.', 1024),
    MAX_INFLATED_SIZE: whole(defaultLimits.maxInflatedBytes, 'Maximum total uncompressed size of the objects in a push, in bytes.', 1024),
    MAX_EXPANSION: whole(
      defaultLimits.maxExpansion,
      'Maximum ratio of the uncompressed size of a push to its compressed size, beyond twice MAX_OBJECT_SIZE.',
      1,
    ),
    MAX_PACK_OBJECTS: whole(defaultLimits.maxPackObjects, 'Maximum number of objects in a push.', 1),
    MAX_DELTA_DEPTH: whole(defaultLimits.maxDeltaDepth, 'Maximum length of a delta chain in a pushed pack.', 1, 4095),
    MAX_COMMIT_SIZE: whole(defaultLimits.maxCommitBytes, 'Maximum size of a pushed commit or tag object including its message, in bytes.', 1024),
    MAX_COMMIT_EXPANSION: whole(
      defaultLimits.maxCommitExpansion,
      'Maximum ratio of the uncompressed size of all commits and tags in a push to the compressed size of the push, beyond MAX_COMMIT_SIZE.',
      1,
    ),
    MAX_TREE_ENTRIES: whole(defaultLimits.maxTreeEntries, 'Maximum number of entries in a pushed directory.', 1),
    MAX_TREE_DEPTH: whole(defaultLimits.maxTreeDepth, 'Maximum directory depth in listings and comparisons.', 1, 65536),
    FSCK_IGNORE: someOf(
      ignorableFaults,
      'Object format errors to accept in pushes, for example from old histories. The names are those of git (receive.fsck.<msg-id>).',
    ),
    MAX_COMMANDS: whole(defaultLimits.maxCommands, 'Maximum number of ref updates in a push, and of wants or haves in a fetch.', 1),
    DELTA_CACHE_SIZE: whole(defaultLimits.deltaCacheBytes, 'Memory for delta bases per push, in bytes.', 1_048_576),
    MEMORY: whole(
      MEMORY_BYTES,
      'Total memory for pushes, blame, file histories, comparisons and archives, in bytes. Work that needs more waits.',
      64 * 1024 * 1024,
    ),
    WORKERS: whole(0, 'Number of worker threads for git operations. 0: one per CPU core, at least 2 and at most 8.', 0, 64),
    PULL_REQUEST_PUSH_MESSAGE: flag(true, 'Show the URL of the pull request, or a link to create one, when a user pushes a branch.'),
    REQUEST_SECONDS: seconds(3600, 'Maximum duration of a fetch, push or archive download, in seconds.', 1),
    GC_GRACE_HOURS: whole(336, 'Hours to keep unreachable objects, and to keep deleted branches restorable.', 0),
    UPKEEP_SECONDS: seconds(600, 'Seconds between maintenance runs of the repositories. 0 disables maintenance.', 0),
    CHECK_DAYS: whole(30, 'Days between full integrity checks of the packs of a repository. 0 disables the checks.', 0, 36_500),
    MAX_PACKS: whole(50, 'Maximum number of packs in a repository before maintenance repacks it.', 2),
  },
  'git.reflog': {
    EXPIRATION: whole(90, 'Days to keep reflog entries.', 1, 36_500),
  },
} as const satisfies SettingList
