import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { messageOf } from '#kernel/errors.ts'
import type { LdapConfig } from './config.ts'
import { SourceUnavailable } from './found.ts'
import { Directory, type Entry, everyoneLimits } from './ldap/directory.ts'
import { escapeFilter, fillIn, inBrackets } from './ldap/escape.ts'
import { groupsOf, rightsOf } from './ldap/groups-and-rights.ts'
import { personAttributes, readEntry } from './ldap/read-entry.ts'
import { listSources, type SourceOf } from './source.ts'
import { listUsersOf } from './store.ts'
import { bringUpToDate, createFound, takeOut } from './sync-account.ts'

/** However many people a directory has. */
const MAX_SECONDS = 6 * 3600

/** Looks up the people of all directories whose sources are in use and set up so. One that cannot be asked is left for the next time. */
export async function synchronize(context: Context): Promise<void> {
  for (const source of listSources(context, { kind: 'ldap', isActive: true })) {
    if (source.kind !== 'ldap' || !source.isSyncEnabled || context.tasks.isStopping) continue
    try {
      await synchronizeSource(context, source)
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error
      context.log.warn(`user synchronization with authentication source "${source.name}" failed: ${messageOf(error)}`)
    }
  }
}

/** What one source is synchronized with. */
interface Round {
  context: Context
  source: SourceOf<'ldap'>
  directory: Directory
  /** The accounts that there were when it began: later ones are left alone. */
  known: Known
}

/** Accounts by what the directory tells of people. */
interface Known {
  rows: readonly UserRow[]
  find: (entry: ReturnType<typeof readEntry>) => UserRow | undefined
}

/**
 * Accounts get what the directory tells of their people, people without one get one, and accounts of people who are there no more become inactive. When
 * the search does not come to its end, only what was found counts; when it finds nobody, nobody becomes inactive, unless the source is set up so.
 */
async function synchronizeSource(context: Context, source: SourceOf<'ldap'>): Promise<void> {
  const rows = listUsersOf(context.db, source.id)
  using directory = await Directory.open(context.config, source.config, everyoneLimits, AbortSignal.timeout(MAX_SECONDS * 1000))
  await directory.bindAsSearcher()
  const round = { context, source, directory, known: { rows, find: finder(source, rows) } }
  const { found, seen } = await takeEveryone(round)
  if (context.tasks.isStopping) return
  const missing = rows.filter((row) => row.is_active === 1 && !seen.has(row.id))
  if (missing.length === 0) return
  if (found === 0 && !source.config.allow_deactivate_all)
    return context.log.warn(`user synchronization: authentication source "${source.name}" returned no users; no account is deactivated`)
  await dismiss(round, missing)
}

function finder({ config }: SourceOf<'ldap'>, rows: readonly UserRow[]): Known['find'] {
  if (config.username_attribute === '') {
    const byEmail = new Map(rows.map((row) => [row.email.toLowerCase(), row]))
    return ({ email }) => byEmail.get(email.toLowerCase())
  }
  const byName = new Map(rows.map((row) => [row.login_name.toLowerCase(), row]))
  return ({ loginName }) => byName.get(loginName.toLowerCase())
}

/** @returns how many people there are, and the accounts of those who are let in */
async function takeEveryone(round: Round): Promise<{ found: number; seen: Set<number> }> {
  const { context, source, directory } = round
  const seen = new Set<number>()
  let found = 0
  const search = { filter: everybody(source.config), attributes: personAttributes(source.config) }
  for await (const page of directory.pages(source.config.user_search_base, search)) {
    for (const entry of page) {
      if (context.tasks.isStopping) return { found, seen }
      found++
      const id = await takeOne(round, entry)
      if (id !== undefined) seen.add(id)
      if (isDue()) await breathe()
    }
  }
  return { found, seen }
}

/** @returns the account, unless there is none, or the groups keep the person out */
async function takeOne({ context, source, directory, known }: Round, entry: Entry): Promise<number | undefined> {
  const groups = await groupsOf(directory, source.config, entry)
  if (groups?.length === 0) return undefined
  const person = readEntry(source.config, entry)
  const row = known.find(person)
  const found = { ...person, ...(await rightsOf(directory, source.config, entry.dn, person.loginName)), groups }
  if (row) await bringUpToDate(context, source, row, found)
  else if (person.loginName !== '') return createFound(context, source, found)
  return row?.id
}

/**
 * Each is asked for alone once more: a directory may have left somebody out of a page, and somebody may have come back meanwhile.
 * @throws SourceUnavailable; those who were found missing until then are inactive
 */
async function dismiss({ context, source, directory, known }: Round, missing: readonly UserRow[]): Promise<void> {
  for (const row of missing) {
    if (context.tasks.isStopping) return
    if (!(await isThere(source, directory, known, row))) takeOut(context, source, row)
  }
}

async function isThere({ config }: SourceOf<'ldap'>, directory: Directory, known: Known, row: UserRow): Promise<boolean> {
  const [attribute, value] = config.username_attribute === '' ? [config.email_attribute, row.email] : [config.username_attribute, row.login_name]
  const filter = `(&${everybody(config)}(${attribute}=${escapeFilter(value)}))`
  for (const entry of await directory.search(config.user_search_base, { filter, attributes: personAttributes(config), limit: MAX_NAMESAKES })) {
    if (known.find(readEntry(config, entry))?.id === row.id && (await groupsOf(directory, config, entry))?.length !== 0) return true
  }
  return false
}

/** More entries than one with a name are none's that can sign in. */
const MAX_NAMESAKES = 10

/** The user filter, of whatever name. */
function everybody({ user_filter: filter }: LdapConfig): string {
  return inBrackets(fillIn(filter, '*'))
}
