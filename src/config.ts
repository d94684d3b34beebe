import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { accessSettings, requireProxySettings } from '#access/settings.ts'
import { automationSettings } from '#automation/settings.ts'
import { blobSettings } from '#blobs/settings.ts'
import { codeSettings } from '#code/settings.ts'
import { doorsSettings } from '#doors/settings.ts'
import { defaultLimits, type GitLimits } from '#git/limits.ts'
import { messageOf } from '#kernel/errors.ts'
import { oneOf, type Setting, type SettingList, seconds, setting, type ValuesOf, whole } from '#kernel/settings.ts'
import { mailerSettings } from '#outbound/mail/settings.ts'
import { networkSettings } from '#outbound/network/settings.ts'
import { peopleSettings } from '#people/settings.ts'
import { repositoriesSettings } from '#repositories/settings.ts'
import { workSettings } from '#work/settings.ts'

/** Characters of a value that cannot be used which are shown. */
const MOST_SHOWN = 200

/** IPv6 in brackets, as in URLs, is what people type. */
function readListenAddress(value: unknown): string {
  const address = typeof value === 'string' ? value.replace(/^\[(.*)\]$/, '$1') : ''
  if (!/^[!-~]{1,253}$/.test(address)) throw new Error('expected an IP address or host name, such as 127.0.0.1, or 0.0.0.0 for all interfaces')
  return address
}

/** Everything that is linked to is put behind it. */
function readRootUrl(value: unknown): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === ''
  if (value !== '' && !isPlain) throw new Error('expected a full URL, such as https://git.example.org/ or https://example.org/git/')
  return value as string
}

/** What concerns the process as a whole. */
const ownSettings = {
  server: {
    HTTP_ADDR: setting('127.0.0.1', 'IP address or host name to listen on. 0.0.0.0 listens on all IPv4 interfaces.', readListenAddress),
    HTTP_PORT: whole(3000, 'TCP port to listen on. 0 picks a free port.', 0, 65535),
    ROOT_URL: setting('', 'Public URL of the server, used for links in API responses and emails. Empty: http://localhost:PORT/.', readRootUrl),
    MAX_CONNECTIONS_PER_ADDRESS: whole(512, 'Maximum number of concurrent requests per client IP address. Loopback addresses are exempt.', 1),
    SHUTDOWN_SECONDS: seconds(30, 'Seconds that running requests get to finish after Ctrl-C or SIGTERM.', 0, 3600),
  },
  events: {
    KEEP_DAYS: whole(90, 'Days to keep internal events. Activity feeds have their own records and are not affected.', 1, 36_500),
  },
  log: {
    LEVEL: oneOf(['debug', 'info', 'warn', 'error'], 'info', 'Minimum level of the messages that are logged.'),
  },
} as const satisfies SettingList

/** Every setting there is: each district declares its own, and a section may have some of several. */
export const settings = {
  server: { ...ownSettings.server, ...accessSettings.server },
  security: { ...accessSettings.security, ...peopleSettings.security },
  session: accessSettings.session,
  cors: accessSettings.cors,
  service: { ...accessSettings.service, ...peopleSettings.service, ...repositoriesSettings.service, ...workSettings.service },
  repository: { ...repositoriesSettings.repository, ...codeSettings.repository, ...doorsSettings.repository },
  'repository.release': codeSettings['repository.release'],
  'repository.issue': workSettings['repository.issue'],
  'repository.pull-request': workSettings['repository.pull-request'],
  storage: blobSettings.storage,
  attachment: workSettings.attachment,
  ui: workSettings.ui,
  api: { ...accessSettings.api, ...codeSettings.api, ...doorsSettings.api },
  git: repositoriesSettings.git,
  'git.reflog': repositoriesSettings['git.reflog'],
  migrations: repositoriesSettings.migrations,
  events: ownSettings.events,
  oauth2: peopleSettings.oauth2,
  oauth2_client: peopleSettings.oauth2_client,
  'cron.sync_external_users': peopleSettings['cron.sync_external_users'],
  picture: peopleSettings.picture,
  mailer: mailerSettings.mailer,
  webhook: automationSettings.webhook,
  network: networkSettings.network,
  log: ownSettings.log,
} as const satisfies SettingList

type Settings = typeof settings
/** Where a value was said. */
export type Origin = 'file' | 'environment' | 'flag'

export type Config = ValuesOf<Settings> & {
  /** The data directory, absolute. */
  dataPath: string
  /** By `section.KEY`, of what is not as it is by default. */
  origins: ReadonlyMap<string, Origin>
}

export type ConfigInput = Record<string, Record<string, unknown>>

/** The defaults, with `overrides` on top; for tests and for `loadConfig`. */
export function makeConfig(dataPath: string, overrides: ConfigInput = {}, origins: Config['origins'] = new Map()): Config {
  const config: Record<string, unknown> = { dataPath, origins }
  for (const [section, keys] of Object.entries(settings)) {
    config[section] = Object.fromEntries(
      Object.entries(keys as Record<string, Setting<unknown>>).map(([key, one]) => [key, readSetting(section, key, one, overrides[section]?.[key])]),
    )
  }
  requireProxySettings(config as Config)
  return config as Config
}

/**
 * The one reader of configuration: `flags` over environment over the TOML file over defaults.
 * @param file one that must be there; without it, pocketforge.toml of the data directory, if that is there
 * @throws Error on an unknown key, naming the nearest known one, on a value that does not fit, and on a file that cannot be read
 */
export function loadConfig(dataPath: string, environment: Record<string, string | undefined>, flags: ConfigInput = {}, file?: string): Config {
  const merged: ConfigInput = {}
  const origins = new Map<string, Origin>()
  const take = (origin: Origin, input: ConfigInput) => {
    mergeInto(merged, input)
    for (const [section, keys] of Object.entries(input)) for (const key of Object.keys(keys)) origins.set(`${section}.${key}`, origin)
  }
  const path = file ?? join(dataPath, 'pocketforge.toml')
  if (file !== undefined || existsSync(path)) take('file', readFile(path))
  take('environment', readEnvironment(environment))
  take('flag', flags)
  return makeConfig(dataPath, merged, origins)
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
    throw new Error(`Invalid setting ${section}.${key}${one.isSecret ? '' : ` = ${shown(value)}`}: ${(error as Error).message}`)
  }
}

/** A value as it is told of; of a long one as much as tells which it is, so that what is wrong with it is not lost behind it. */
function shown(value: unknown): string {
  const json = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}…` : json
}

function readFile(file: string): ConfigInput {
  const input: ConfigInput = {}
  takeTables(input, tablesIn(file), '', file)
  return input
}

function tablesIn(file: string): Record<string, unknown> {
  try {
    return parseToml(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`Cannot read the settings file ${file}: ${messageOf(cause).trimEnd()}`, { cause })
  }
}

/** A section may have others in it: `[git.reflog]` is a table in `[git]`. */
function takeTables(input: ConfigInput, tables: Record<string, unknown>, within: string, file: string): void {
  for (const [name, value] of Object.entries(tables)) {
    const path = within + name
    if (isTable(value) && isSection(path)) takeTables(input, value, `${path}.`, file)
    else if (within === '')
      throw isSection(path)
        ? new Error(`Cannot read ${file}: [${path}] must be a table`)
        : unknownKey(`section [${path}] in ${file}`, path, Object.keys(settings))
    else take(input, within.slice(0, -1), name, value, file)
  }
}

function take(input: ConfigInput, section: string, key: string, value: unknown, file: string): void {
  const known = Object.keys((settings as SettingList)[section] ?? {})
  if (!known.includes(key)) throw unknownKey(`setting ${section}.${key} in ${file}`, key, known)
  input[section] = { ...input[section], [key]: value }
}

/** Whether settings stand in it, or sections with settings. */
function isSection(path: string): boolean {
  return Object.keys(settings).some((section) => section === path || section.startsWith(`${path}.`))
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
  return new Error(`Unknown ${what}. Did you mean ${nearest}?`)
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length] as number
}

/** The server's limits for git, in the terms of the git library. */
export function gitLimits(config: Config): GitLimits {
  return {
    ...defaultLimits,
    maxPackBytes: config.git.MAX_PACK_SIZE,
    maxObjectBytes: config.git.MAX_OBJECT_SIZE,
    maxInflatedBytes: config.git.MAX_INFLATED_SIZE,
    maxExpansion: config.git.MAX_EXPANSION,
    maxPackObjects: config.git.MAX_PACK_OBJECTS,
    maxDeltaDepth: config.git.MAX_DELTA_DEPTH,
    maxCommitBytes: config.git.MAX_COMMIT_SIZE,
    maxCommitExpansion: config.git.MAX_COMMIT_EXPANSION,
    maxTreeEntries: config.git.MAX_TREE_ENTRIES,
    maxTreeDepth: config.git.MAX_TREE_DEPTH,
    maxCommands: config.git.MAX_COMMANDS,
    ignoredFaults: config.git.FSCK_IGNORE,
    deltaCacheBytes: config.git.DELTA_CACHE_SIZE,
  }
}
