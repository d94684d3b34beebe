import type { Static } from 'elysia'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { SecretLost } from '#kernel/secret-box.ts'
import { type ConfigOf, type SourceKind, secretMembers } from './config.ts'
import { accountName } from './external-user.ts'
import type { FoundPerson } from './found.ts'
import type { AuthSource, AuthSourceTest } from './schema.ts'
import { openSource } from './source.ts'
import { countUsersOf, type SourceRow } from './store.ts'

/** Without its settings when their key is lost: they must be given anew. */
export function presentSource(context: Pick<Context, 'db' | 'secrets'>, row: SourceRow): Static<typeof AuthSource> {
  return {
    id: row.id,
    type: row.kind,
    name: row.name,
    is_active: row.is_active === 1,
    is_sync_enabled: row.is_sync_enabled === 1,
    skip_local_2fa: row.skip_local_2fa === 1,
    users_count: countUsersOf(context.db, row.id),
    ...settingsOf(context, row),
    created: rfc3339(row.created_at),
    updated: rfc3339(row.updated_at),
  }
}

function settingsOf(context: Pick<Context, 'secrets'>, row: SourceRow): Partial<ConfigOf> {
  try {
    const { kind, config } = openSource(context, row)
    return { [kind]: withoutSecrets(kind, config) }
  } catch (error) {
    if (error instanceof SecretLost) return {}
    throw error
  }
}

function withoutSecrets(kind: SourceKind, config: ConfigOf[SourceKind]): Record<string, unknown> {
  const hidden: readonly string[] = secretMembers[kind]
  return Object.fromEntries(Object.entries(config).filter(([name]) => !hidden.includes(name)))
}

export function presentFound(found: FoundPerson): NonNullable<Static<typeof AuthSourceTest>['user']> {
  return {
    login_name: found.loginName,
    name: accountName(found.name),
    email: found.email,
    full_name: found.fullName ?? '',
    ...(found.isAdmin === undefined ? {} : { is_admin: found.isAdmin }),
    ...(found.isRestricted === undefined ? {} : { is_restricted: found.isRestricted }),
    ...(found.groups === undefined ? {} : { groups: [...found.groups] }),
    ssh_keys_count: found.keys?.length ?? 0,
  }
}
