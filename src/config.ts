import { existsSync, readFileSync } from 'node:fs'
import { parse as parseToml } from 'smol-toml'
import { defaultLimits, type GitLimits } from './git/limits.ts'
import { parseHostList } from './network/index.ts'

/** One setting: what it is for, what it is when nobody says, and how a text or TOML value becomes one. */
export interface Setting<T> {
  readonly doc: string
  readonly fallback: T
  /** @throws Error saying what would have been right */
  readonly read: (value: unknown) => T
  /** Whether its value is kept out of messages. */
  readonly isSecret?: true
}

function setting<T>(fallback: T, doc: string, read: (value: unknown) => T): Setting<T> {
  return { doc, fallback, read }
}

function text(fallback: string, doc: string): Setting<string> {
  return setting(fallback, doc, (value) => {
    if (typeof value !== 'string') throw new Error('a text is expected')
    return value
  })
}

function flag(fallback: boolean, doc: string): Setting<boolean> {
  return setting(fallback, doc, (value) => {
    if (value === true || value === 'true' || value === '1') return true
    if (value === false || value === 'false' || value === '0') return false
    throw new Error('true or false is expected')
  })
}

function whole(fallback: number, doc: string, least = 0, most = Number.MAX_SAFE_INTEGER): Setting<number> {
  return setting(fallback, doc, (value) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < least || number > most) {
      throw new Error(`a whole number from ${least} to ${most} is expected`)
    }
    return number
  })
}

function oneOf<const T extends string>(options: readonly T[], fallback: NoInfer<T>, doc: string): Setting<T> {
  return setting<T>(fallback, `${doc} One of ${options.join(', ')}.`, (value) => {
    const found = options.find((option) => option === value)
    if (found === undefined) throw new Error(`one of ${options.join(', ')} is expected`)
    return found
  })
}

function list(fallback: readonly string[], doc: string): Setting<readonly string[]> {
  return setting(fallback, doc, (value) => {
    const items = typeof value === 'string' ? value.split(',') : value
    if (!Array.isArray(items) || !items.every((item) => typeof item === 'string')) throw new Error('a list of texts is expected')
    return items.map((item) => item.trim()).filter((item) => item !== '')
  })
}

/** Hosts that requests may be sent to, in Gitea's form. */
function hostList(doc: string): Setting<readonly string[]> {
  const { fallback, read } = list([], doc)
  return setting(fallback, doc, (value) => {
    const items = read(value)
    parseHostList(items)
    return items
  })
}

/** Shown nowhere, not even when it cannot be used. */
function secret(doc: string): Setting<string> {
  return { ...text('', doc), isSecret: true }
}

const HOOK_HOSTS_DOC =
  'What webhooks may reach: external, private, loopback, * for all three, networks (10.0.0.0/8), globs over hosts (*.example.org); never cloud metadata and other special ranges. Empty: external and private, and loopback where only this machine reaches the server or a site administrator set the target.'

const mailProtocols = ['', 'smtp', 'smtps', 'smtp+starttls', 'smtp+unix', 'dummy'] as const
const PROTOCOL_DOC =
  'How mail leaves. One of smtp, smtps, smtp+starttls, smtp+unix, dummy, which logs it. Empty: as SMTP_ADDR and SMTP_PORT suggest, else smtps.'

/** `smtp+startls` is what Gitea once called it. */
function readMailProtocol(value: unknown): (typeof mailProtocols)[number] {
  if (value === 'sendmail') throw new Error('no program is ever started; smtp with SMTP_ADDR = "localhost" reaches the same mail server')
  const found = value === 'smtp+startls' ? 'smtp+starttls' : mailProtocols.find((one) => one === value)
  if (found === undefined) throw new Error(`one of ${mailProtocols.slice(1).join(', ')} is expected`)
  return found
}

/** Every setting there is. Sections and names are Gitea's where Gitea has the setting. */
export const settings = {
  server: {
    HTTP_ADDR: text('127.0.0.1', 'Address to listen on. 0.0.0.0 serves the whole network.'),
    HTTP_PORT: whole(3000, 'Port to listen on; 0 picks a free one.', 0, 65535),
    ROOT_URL: text('', 'Address under which people reach the server, for links in answers. Empty: http://localhost:PORT/.'),
    MAX_CONNECTIONS_PER_ADDRESS: whole(512, 'Requests that one address may have under way at once; loopback is not counted.', 1),
    SHUTDOWN_SECONDS: whole(30, 'How long Ctrl-C and SIGTERM wait for requests under way.', 0, 3600),
  },
  security: {
    DISABLE_QUERY_AUTH_TOKEN: flag(false, 'Refuse tokens in the query string (?token=, ?access_token=).'),
    MIN_PASSWORD_LENGTH: whole(8, 'Shortest password accepted.', 1, 1024),
    RESERVED_USERNAMES: list([], 'Names nobody can register, besides those the routes need.'),
  },
  service: {
    REQUIRE_SIGNIN_VIEW: flag(false, 'Answer nothing to visitors who are not signed in.'),
    DEFAULT_USER_VISIBILITY: oneOf(['public', 'limited', 'private'], 'public', 'Visibility of a new user.'),
    DEFAULT_ALLOW_CREATE_ORGANIZATION: flag(true, 'Whether new users may create organizations.'),
    AUTO_WATCH_NEW_REPOS: flag(true, 'Who creates a repository watches it.'),
  },
  repository: {
    DEFAULT_BRANCH: text('main', 'Name of the first branch of a new repository.'),
    DEFAULT_PRIVATE: oneOf(
      ['last', 'private', 'public'],
      'last',
      'Visibility of a new repository when the request does not say; last means as asked, else public.',
    ),
    ENABLE_PUSH_CREATE_USER: flag(true, "A push to a repository that does not exist creates it in the pusher's own namespace."),
    ENABLE_PUSH_CREATE_ORG: flag(true, 'The same in an organization where the pusher may create repositories.'),
    DEFAULT_PUSH_CREATE_PRIVATE: flag(true, 'Repositories created by a push are private.'),
    MAX_CREATION_LIMIT: setting(-1, 'Repositories a user may own; -1 is no limit.', (value) => {
      const number = Number(value)
      if (!Number.isSafeInteger(number) || number < -1) throw new Error('a whole number from -1 is expected')
      return number
    }),
    DISABLE_HTTP_GIT: flag(false, 'No git over HTTP.'),
  },
  api: {
    MAX_RESPONSE_ITEMS: whole(50, 'Largest page of a list.', 1, 10_000),
    DEFAULT_PAGING_NUM: whole(30, 'Page size when the request does not say.', 1, 10_000),
    DEFAULT_GIT_TREES_PER_PAGE: whole(1000, 'Page size of git trees.', 1, 100_000),
    DEFAULT_MAX_BLOB_SIZE: whole(10_485_760, 'Largest file content the API answers as JSON, in bytes.', 1),
    DEFAULT_MAX_RESPONSE_SIZE: whole(104_857_600, 'Largest sum of file contents in one JSON answer, in bytes.', 1),
    MAX_BODY_SIZE: whole(33_554_432, 'Largest JSON body accepted, in bytes.', 1024),
    MAX_ANONYMOUS_BODY_SIZE: whole(1_048_576, 'Largest JSON body accepted without credentials, in bytes.', 1024),
    ENABLE_SWAGGER: flag(true, 'Serve /api/swagger and /swagger.v1.json.'),
  },
  git: {
    MAX_PACK_SIZE: whole(defaultLimits.maxPackBytes, 'Largest pack a push may send, in bytes.', 1024),
    MAX_OBJECT_SIZE: whole(defaultLimits.maxObjectBytes, 'Largest object, inflated, in bytes.', 1024),
    MAX_INFLATED_SIZE: whole(defaultLimits.maxInflatedBytes, 'Inflated size of all objects of one push, in bytes.', 1024),
    MAX_PACK_OBJECTS: whole(defaultLimits.maxPackObjects, 'Objects in one push.', 1),
    MAX_DELTA_DEPTH: whole(defaultLimits.maxDeltaDepth, 'Longest delta chain.', 1, 4095),
    MAX_TREE_ENTRIES: whole(defaultLimits.maxTreeEntries, 'Entries of one directory.', 1),
    MAX_TREE_DEPTH: whole(defaultLimits.maxTreeDepth, 'Depth of directories.', 1, 65536),
    MAX_COMMANDS: whole(defaultLimits.maxCommands, 'Ref updates in one push; wants and haves in one fetch.', 1),
    DELTA_CACHE_SIZE: whole(defaultLimits.deltaCacheBytes, 'Memory one push may use for delta bases, in bytes.', 1_048_576),
    WORKERS: whole(0, 'Worker threads for git work; 0 is one for each core, 2 to 8.', 0, 64),
    REQUEST_SECONDS: whole(3600, 'Deadline of one fetch or push.', 1),
    GC_GRACE_HOURS: whole(336, 'How long unreachable objects are kept.', 0),
    UPKEEP_SECONDS: whole(600, 'How often repositories are looked at for upkeep; 0 is never.', 0),
    MAX_PACKS: whole(32, 'Packs a repository may have before upkeep joins them.', 2),
  },
  picture: {
    AVATAR_MAX_FILE_SIZE: whole(1_048_576, 'Largest avatar, in bytes.', 1, 16_777_216),
    AVATAR_MAX_WIDTH: whole(4096, 'Widest avatar, in pixels.', 1, 16_383),
    AVATAR_MAX_HEIGHT: whole(4096, 'Highest avatar, in pixels.', 1, 16_383),
  },
  mailer: {
    ENABLED: flag(false, 'Send mail.'),
    PROTOCOL: setting<(typeof mailProtocols)[number]>('', PROTOCOL_DOC, readMailProtocol),
    SMTP_ADDR: text('', 'The mail server: its name or address, or the path of its socket with smtp+unix.'),
    SMTP_PORT: whole(0, 'Its port; 0 is 25 for smtp, 465 for smtps, 587 for smtp+starttls.', 0, 65535),
    USER: text('', 'Whom to sign in to it as; empty: nobody.'),
    PASSWD: secret('The password for that.'),
    FROM: text('', 'Sender of all mail, e.g. "Forge <forge@example.org>". Empty: USER.'),
    SUBJECT_PREFIX: text('', 'What every subject begins with.'),
    HELO_HOSTNAME: text('', 'What to greet the mail server as. Empty: the name of this machine.'),
    SEND_BUFFER_LEN: whole(1000, 'Mails that may wait; further ones are dropped.', 1, 1_000_000),
  },
  webhook: {
    ALLOWED_HOST_LIST: hostList(HOOK_HOSTS_DOC),
  },
  network: {
    OFFLINE: flag(false, 'Refuse every outbound connection: no mail leaves.'),
  },
  log: {
    LEVEL: oneOf(['debug', 'info', 'warn', 'error'], 'info', 'What is logged.'),
  },
} as const satisfies Record<string, Record<string, Setting<unknown>>>

type Settings = typeof settings
export type Config = { [S in keyof Settings]: { [K in keyof Settings[S]]: Settings[S][K] extends Setting<infer T> ? T : never } } & {
  /** The data directory, absolute. */
  dataPath: string
}

export type ConfigInput = Record<string, Record<string, unknown>>

/** The defaults, with `overrides` on top; for tests and for `loadConfig`. */
export function makeConfig(dataPath: string, overrides: ConfigInput = {}): Config {
  const config: Record<string, unknown> = { dataPath }
  for (const [section, keys] of Object.entries(settings)) {
    config[section] = Object.fromEntries(
      Object.entries(keys as Record<string, Setting<unknown>>).map(([key, one]) => [key, readSetting(section, key, one, overrides[section]?.[key])]),
    )
  }
  return config as Config
}

/**
 * The one reader of configuration: `flags` over environment over the TOML file over defaults.
 * @throws Error on an unknown key, naming the nearest known one, and on a value that does not fit
 */
export function loadConfig(
  dataPath: string,
  environment: Record<string, string | undefined>,
  flags: ConfigInput = {},
  file = `${dataPath}/pocketforge.toml`,
): Config {
  const merged: ConfigInput = {}
  if (existsSync(file)) mergeInto(merged, readFile(file))
  mergeInto(merged, readEnvironment(environment))
  mergeInto(merged, flags)
  return makeConfig(dataPath, merged)
}

/** What the server limits in git, in the git library's own terms. */
export function gitLimits(config: Config): GitLimits {
  return {
    ...defaultLimits,
    maxPackBytes: config.git.MAX_PACK_SIZE,
    maxObjectBytes: config.git.MAX_OBJECT_SIZE,
    maxInflatedBytes: config.git.MAX_INFLATED_SIZE,
    maxPackObjects: config.git.MAX_PACK_OBJECTS,
    maxDeltaDepth: config.git.MAX_DELTA_DEPTH,
    maxTreeEntries: config.git.MAX_TREE_ENTRIES,
    maxTreeDepth: config.git.MAX_TREE_DEPTH,
    maxCommands: config.git.MAX_COMMANDS,
    deltaCacheBytes: config.git.DELTA_CACHE_SIZE,
  }
}

/** The environment variable of a setting: `POCKETFORGE_REPOSITORY_DEFAULT_BRANCH`. */
export function environmentName(section: string, key: string): string {
  return `POCKETFORGE_${section}_${key}`.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()
}

/** Variables the command line reads itself. */
const otherVariables = ['POCKETFORGE_DATA', 'POCKETFORGE_CONFIG', 'POCKETFORGE_ADMIN_USERNAME', 'POCKETFORGE_ADMIN_PASSWORD', 'POCKETFORGE_ADMIN_EMAIL']

function readSetting(section: string, key: string, one: Setting<unknown>, value: unknown): unknown {
  if (value === undefined) return one.fallback
  try {
    return one.read(value)
  } catch (error) {
    throw new Error(`Cannot use ${section}.${key}${one.isSecret ? '' : ` = ${JSON.stringify(value)}`}: ${(error as Error).message}`)
  }
}

function readFile(file: string): ConfigInput {
  const parsed = parseToml(readFileSync(file, 'utf8'))
  const input: ConfigInput = {}
  for (const [section, keys] of Object.entries(parsed)) {
    if (!(section in settings)) throw unknownKey(`section [${section}] in ${file}`, section, Object.keys(settings))
    if (typeof keys !== 'object' || keys === null || Array.isArray(keys)) throw new Error(`Cannot read ${file}: [${section}] must be a table`)
    const known = Object.keys(settings[section as keyof Settings])
    for (const key of Object.keys(keys)) if (!known.includes(key)) throw unknownKey(`setting ${section}.${key} in ${file}`, key, known)
    input[section] = keys as Record<string, unknown>
  }
  return input
}

function readEnvironment(environment: Record<string, string | undefined>): ConfigInput {
  const names = new Map<string, [string, string]>()
  for (const [section, keys] of Object.entries(settings)) for (const key of Object.keys(keys)) names.set(environmentName(section, key), [section, key])
  const input: ConfigInput = {}
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('POCKETFORGE_') || otherVariables.includes(name)) continue
    const found = names.get(name)
    if (!found) throw unknownKey(`environment variable ${name}`, name, [...names.keys(), ...otherVariables])
    const [section, key] = found
    input[section] = { ...input[section], [key]: value }
  }
  return input
}

function mergeInto(target: ConfigInput, source: ConfigInput): void {
  for (const [section, keys] of Object.entries(source)) target[section] = { ...target[section], ...keys }
}

function unknownKey(what: string, name: string, known: readonly string[]): Error {
  const nearest = known.toSorted((a, b) => editDistance(a, name) - editDistance(b, name))[0]
  return new Error(`Cannot use ${what}: it is not known. Did you mean ${nearest}?`)
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]
}
