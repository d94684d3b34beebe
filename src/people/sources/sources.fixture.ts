import type { Context } from '#context.ts'
import { type ConfigOf, defaults, type SourceKind } from './config.ts'
import { sealConfig } from './source.ts'
import { insertSource } from './store.ts'

/** A source as an administrator made it, whatever its settings. */
export function putSource<K extends SourceKind>(context: Context, kind: K, config: Partial<ConfigOf[K]> = {}, more: { name?: string; sync?: boolean } = {}) {
  const now = context.clock.seconds()
  const row = { kind, name: more.name ?? `a ${kind}`, is_active: 1, is_sync_enabled: Number(more.sync === true), skip_local_2fa: 0 }
  const sealed = sealConfig(context, { ...defaults[kind], ...config })
  return context.db.tx((tx) => insertSource(tx, { ...row, config: sealed, created_at: now, updated_at: now }))
}
