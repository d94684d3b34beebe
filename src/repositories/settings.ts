import { defaultLimits } from '#git/limits.ts'
import { ignorableFaults } from '#git/objects/fsck-messages.ts'
import { HEADS, isRefName } from '#git/refs/names.ts'
import { MEMORY_BYTES } from '#git/workers/task-kinds.ts'
import { flag, oneOf, type SettingList, seconds, setting, someOf, whole } from '#kernel/settings.ts'
import { hostList } from '#outbound/network/index.ts'

/** No repository could be created with another one. */
function readBranch(value: unknown): string {
  if (typeof value !== 'string' || !isRefName(HEADS + value)) throw new Error('the name of a branch is expected, such as main')
  return value
}

const MIGRATION_HOSTS_DOC =
  'Hosts that repositories may be imported from: external, private, loopback, * for all three, networks (10.0.0.0/8), host name patterns (*.example.org). Cloud metadata addresses are never reached. Empty: external and private; also loopback for site administrators, or if the server listens on loopback only.'

/** Repositories, and the bounds of what git may bring and take. */
export const repositoriesSettings = {
  service: {
    AUTO_WATCH_NEW_REPOS: flag(true, 'Who creates a repository watches it, and who is in a team what that is given.'),
  },
  migrations: {
    ALLOWED_HOST_LIST: hostList(MIGRATION_HOSTS_DOC),
  },
  repository: {
    DISABLE_MIGRATIONS: flag(false, 'Reject imports of repositories from other servers.'),
    DEFAULT_BRANCH: setting('main', 'Name of the first branch of a new repository.', readBranch),
    DEFAULT_PRIVATE: oneOf(
      ['last', 'private', 'public'],
      'last',
      'Visibility of a new repository when the request does not say; last means as asked, else public.',
    ),
    ENABLE_PUSH_CREATE_USER: flag(true, "A push to a repository that does not exist creates it in the pusher's own namespace."),
    ENABLE_PUSH_CREATE_ORG: flag(true, 'The same in an organization where the pusher may create repositories.'),
    DEFAULT_PUSH_CREATE_PRIVATE: flag(true, 'Repositories created by a push are private.'),
    DELETED_KEPT_DAYS: whole(
      7,
      'For how many days deleted comments, labels and milestones can be restored; then they are removed for good. 0: at once.',
      0,
      3650,
    ),
    MAX_CREATION_LIMIT: whole(-1, 'Repositories a user may own; -1 is no limit.', -1),
  },
  git: {
    MAX_PACK_SIZE: whole(defaultLimits.maxPackBytes, 'Largest pack a push may send, in bytes.', 1024),
    MAX_OBJECT_SIZE: whole(defaultLimits.maxObjectBytes, 'Largest object, inflated, in bytes.', 1024),
    MAX_INFLATED_SIZE: whole(defaultLimits.maxInflatedBytes, 'Inflated size of all objects of one push, in bytes.', 1024),
    MAX_EXPANSION: whole(defaultLimits.maxExpansion, 'How many times its size a push may inflate to, beyond twice MAX_OBJECT_SIZE.', 1),
    MAX_PACK_OBJECTS: whole(defaultLimits.maxPackObjects, 'Objects in one push.', 1),
    MAX_DELTA_DEPTH: whole(defaultLimits.maxDeltaDepth, 'Longest delta chain.', 1, 4095),
    MAX_COMMIT_SIZE: whole(defaultLimits.maxCommitBytes, 'Largest commit or tag, its message included, in bytes.', 1024),
    MAX_COMMIT_EXPANSION: whole(
      defaultLimits.maxCommitExpansion,
      'Inflated bytes of all commits and tags of one push for each byte that it sends, beyond MAX_COMMIT_SIZE.',
      1,
    ),
    MAX_TREE_ENTRIES: whole(defaultLimits.maxTreeEntries, 'Entries of one directory.', 1),
    MAX_TREE_DEPTH: whole(defaultLimits.maxTreeDepth, 'How deep listings and comparisons of directories go.', 1, 65536),
    FSCK_IGNORE: someOf(
      ignorableFaults,
      'Faults of old histories that pushes may bring in all the same, by the names that git has for them in receive.fsck.<msg-id>.',
    ),
    MAX_COMMANDS: whole(defaultLimits.maxCommands, 'Ref updates in one push; wants and haves in one fetch.', 1),
    DELTA_CACHE_SIZE: whole(defaultLimits.deltaCacheBytes, 'Memory one push may use for delta bases, in bytes.', 1_048_576),
    MEMORY: whole(
      MEMORY_BYTES,
      'Memory budget for pushes, blame, path logs, comparisons and archives together, in bytes. Work that does not fit waits.',
      64 * 1024 * 1024,
    ),
    WORKERS: whole(0, 'Worker threads for git work; 0 is one for each core, 2 to 8.', 0, 64),
    PULL_REQUEST_PUSH_MESSAGE: flag(true, 'Whoever pushes a branch is told where to open a pull request for it, or where it is.'),
    REQUEST_SECONDS: seconds(3600, 'Deadline of one fetch or push.', 1),
    GC_GRACE_HOURS: whole(336, 'How long unreachable objects are kept, and deleted branches can be restored.', 0),
    UPKEEP_SECONDS: seconds(600, 'How often repositories are looked at for upkeep; 0 is never.', 0),
    CHECK_DAYS: whole(30, 'How often packs are read from end to end, so that damage is told before somebody needs what is damaged; 0 is never.', 0, 36_500),
    MAX_PACKS: whole(50, 'Packs a repository may have before upkeep joins them.', 2),
  },
  'git.reflog': {
    EXPIRATION: whole(90, 'How many days it is remembered where a ref pointed before.', 1, 36_500),
  },
} as const satisfies SettingList
