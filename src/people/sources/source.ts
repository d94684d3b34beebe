import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { type ConfigOf, defaults, type SourceKind } from './config.ts'
import { findSourceRow, listSourceRows, type SourceFilter, type SourceRow } from './store.ts'

/** What sources are read with. */
export type SourceContext = Pick<Context, 'db' | 'secrets' | 'log'>

/** A source of one kind, with what only the server knows of it. */
export interface SourceOf<K extends SourceKind> {
  kind: K
  id: number
  name: string
  isActive: boolean
  isSyncEnabled: boolean
  /** Who signed in there is asked for no second factor here. */
  skipsLocalTwoFactor: boolean
  config: ConfigOf[K]
}
export type Source = { [K in SourceKind]: SourceOf<K> }[SourceKind]

const PURPOSE = 'login source'

export function sealConfig({ secrets }: Pick<Context, 'secrets'>, config: ConfigOf[SourceKind]): string {
  return secrets.seal(JSON.stringify(config), PURPOSE)
}

/** @throws SecretLost when the key is gone that it was encrypted under */
export function openSource({ secrets }: Pick<Context, 'secrets'>, row: SourceRow): Source {
  const config = { ...defaults[row.kind], ...JSON.parse(secrets.open(row.config, PURPOSE)) }
  const { id, kind, name } = row
  return {
    kind,
    id,
    name,
    isActive: row.is_active === 1,
    isSyncEnabled: row.is_sync_enabled === 1,
    skipsLocalTwoFactor: row.skip_local_2fa === 1,
    config,
  } as Source
}

/** Those that can be read, in the order in which they are asked. */
export function listSources(context: SourceContext, filter: SourceFilter = {}): Source[] {
  return listSourceRows(context.db, filter).flatMap((row) => tryOpening(context, row) ?? [])
}

/** Undefined for one that is not there, and for one that cannot be read any more, which the log tells. */
export function findSource(context: SourceContext, id: number): Source | undefined {
  const row = findSourceRow(context.db, id)
  return row && tryOpening(context, row)
}

/** @throws NotFound; Unprocessable when it cannot be read any more */
export function getSource(context: SourceContext, id: number): Source {
  const source = findSource(context, id)
  if (source) return source
  if (findSourceRow(context.db, id)) throw new Unprocessable('The settings of this authentication source cannot be decrypted. Enter them again.')
  throw new NotFound(`Cannot find authentication source ${id}`)
}

function tryOpening(context: SourceContext, row: SourceRow): Source | undefined {
  try {
    return openSource(context, row)
  } catch (error) {
    context.log.error(`cannot read the configuration of authentication source "${row.name}"; enter it again`, error)
    return undefined
  }
}
