import type { Static } from 'elysia'
import type { Context } from '#context.ts'
import { isDangling } from '#kernel/database/sqlite-errors.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Conflict, NotFound, Unprocessable } from '#kernel/errors.ts'
import { SecretLost } from '#kernel/secret-box.ts'
import { checkConfig } from './check-config.ts'
import { type ConfigOf, defaults, type SourceKind } from './config.ts'
import type { CreateAuthSourceOption, EditAuthSourceOption } from './schema.ts'
import { openSource, sealConfig } from './source.ts'
import { countUsersOf, findSourceRow, findSourceRowByName, insertSource, removeSource, type SourceRow, updateSource } from './store.ts'

/** What changes of sources need of the context; the command line has no more. */
export type ChangeContext = Pick<Context, 'db' | 'secrets' | 'clock'>

type Settings = Partial<Record<SourceKind, object>>

/** @throws Unprocessable on a name that is taken, and on settings that are malformed, missing or of another kind */
export function addSource(context: ChangeContext, asked: Static<typeof CreateAuthSourceOption>): SourceRow {
  const { type: kind, name } = asked
  const config = mergeConfig(kind, defaults[kind], asked)
  const now = context.clock.seconds()
  const isSynced = asked.is_sync_enabled ?? false
  if (isSynced) requireSearchable(kind, config)
  const facts = {
    kind,
    name: name.trim(),
    is_active: Number(asked.is_active ?? true),
    is_sync_enabled: Number(isSynced),
    skip_local_2fa: Number(asked.skip_local_2fa ?? false),
  }
  const sealed = sealConfig(context, config)
  return context.db.tx((tx) => {
    refuseName(tx, facts.name)
    const id = insertSource(tx, { ...facts, config: sealed, created_at: now, updated_at: now })
    return findSourceRow(tx, id) as SourceRow
  })
}

/** Changes what is given. @throws NotFound; Unprocessable as `addSource` */
export function editSource(context: ChangeContext, id: number, asked: Static<typeof EditAuthSourceOption>): SourceRow {
  return context.db.tx((tx) => {
    const row = getSourceRow(tx, id)
    const name = asked.name?.trim() ?? row.name
    refuseName(tx, name, id)
    const config = changeConfig(context, row, asked)
    const isSynced = asked.is_sync_enabled ?? row.is_sync_enabled === 1
    if (isSynced && config !== undefined) requireSearchable(row.kind, config)
    updateSource(tx, id, {
      name,
      is_active: Number(asked.is_active ?? row.is_active === 1),
      is_sync_enabled: Number(isSynced),
      skip_local_2fa: Number(asked.skip_local_2fa ?? row.skip_local_2fa === 1),
      config: config === undefined ? row.config : sealConfig(context, config),
      updated_at: context.clock.seconds(),
    })
    return findSourceRow(tx, id) as SourceRow
  })
}

/** @throws NotFound; Conflict while accounts sign in there, or are tied to somebody there */
export function deleteSource({ db }: Pick<Context, 'db'>, id: number): void {
  db.tx((tx) => {
    getSourceRow(tx, id)
    const count = countUsersOf(tx, id)
    if (count > 0) throw new Conflict(`Cannot delete the authentication source: ${count} ${count === 1 ? 'account uses' : 'accounts use'} it`)
    try {
      removeSource(tx, id)
    } catch (cause) {
      throw isDangling(cause) ? new Conflict('Cannot delete the authentication source: accounts are linked to it', { cause }) : cause
    }
  })
}

/** @throws NotFound */
export function getSourceRow(db: Db, id: number): SourceRow {
  const row = findSourceRow(db, id)
  if (!row) throw new NotFound(`Cannot find authentication source ${id}`)
  return row
}

/** Settings that can be read no more are given anew, as if it were a new source; undefined while they are not. */
function changeConfig(context: ChangeContext, row: SourceRow, asked: Settings): ConfigOf[SourceKind] | undefined {
  const present = presentConfig(context, row)
  if (!present && Object.keys(settingsIn(asked)).length === 0) return undefined
  return mergeConfig(row.kind, present ?? defaults[row.kind], asked)
}

function presentConfig(context: ChangeContext, row: SourceRow): ConfigOf[SourceKind] | undefined {
  try {
    return openSource(context, row).config
  } catch (error) {
    if (error instanceof SecretLost) return undefined
    throw error
  }
}

/** Of what is given, what its kind has: a body may have members of any name. */
function mergeConfig<K extends SourceKind>(kind: K, present: ConfigOf[K], asked: Settings): ConfigOf[K] {
  const other = Object.keys(settingsIn(asked)).find((name) => name !== kind)
  if (other !== undefined) throw new Unprocessable(`[${other}]: invalid authentication type. expected: ${kind}, actual: ${other}`)
  const given = Object.entries(asked[kind] ?? {}).filter(([name, value]) => Object.hasOwn(defaults[kind], name) && value !== undefined)
  const config = { ...present, ...Object.fromEntries(given) }
  checkConfig(kind, config)
  return config
}

function settingsIn(asked: Settings): Settings {
  return Object.fromEntries(Object.entries(asked).filter(([name, value]) => Object.hasOwn(defaults, name) && value !== undefined))
}

function requireSearchable(kind: SourceKind, config: ConfigOf[SourceKind]): void {
  if (kind !== 'ldap') throw new Unprocessable('[is_sync_enabled]: user synchronization requires an LDAP source')
  const { user_search_base: base, user_filter: filter } = config as ConfigOf['ldap']
  if (base === '' || filter === '') throw new Unprocessable('[is_sync_enabled]: user synchronization requires user_search_base and user_filter')
}

function refuseName(tx: Tx, name: string, id?: number): void {
  const known = findSourceRowByName(tx, name)
  if (name === '') throw new Unprocessable('[name]: the name must not be empty')
  if (known && known.id !== id) throw new Unprocessable(`login source already exists [name: ${name}]`)
}
