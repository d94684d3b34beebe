import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { messageOf, Problem } from '#kernel/errors.ts'
import { setExternalAvatar } from '#people/avatars/index.ts'
import { replaceSourceKeys } from '#people/keys/index.ts'
import { placeholderOf } from './addresses.ts'
import { createExternalUser, setRights } from './external-user.ts'
import type { FoundPerson } from './found.ts'
import { applyGroupMap, parseGroupMap } from './group-map.ts'
import type { Source } from './source.ts'

/**
 * Makes of what a source told the account of that person: an existing one gets what the source decides about, a new one all of it.
 * @throws Forbidden as `createExternalUser` does
 */
export async function settle(context: Context, source: Source, found: FoundPerson): Promise<UserRow> {
  const email = found.email || placeholderOf(context, source, found.name)
  const person = { ...found, sourceId: source.id, email }
  const { user, isNew } = context.db.tx((tx) => {
    const account = createExternalUser(context, tx, person)
    if (!isBarred(account.user)) followSource(context, tx, source, account.user, found)
    return account
  })
  if (isNew && found.avatar) await giveAvatar(context, user, found.avatar)
  return accessStore.findUserById(context.db, user.id) ?? user
}

/** What a source says of somebody who may not sign in waits until they may. */
function isBarred(user: UserRow): boolean {
  return user.is_active === 0 || user.prohibit_login === 1
}

/** Rights, memberships and keys, as far as the source tells of them. */
export function followSource(context: Context, tx: Tx, source: Source, user: UserRow, found: FoundPerson): void {
  setRights(context, tx, user, found)
  if (found.groups && source.kind === 'ldap') {
    const { group_team_map: map, group_team_map_removal: removes } = source.config
    applyGroupMap(context, tx, user, { map: parseGroupMap(map), groups: found.groups, removes, normalize: normalizeDn })
  }
  if (found.keys) replaceSourceKeys(context, tx, user, source, found.keys)
}

/** Two spellings of a DN: in any case, and with blanks after its commas or without. */
function normalizeDn(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\s*([,=+])\s*/g, '$1')
}

/** A picture that cannot be taken is no reason not to let somebody in. */
export async function giveAvatar(context: Pick<Context, 'config' | 'db' | 'log'>, user: UserRow, bytes: Uint8Array): Promise<void> {
  try {
    await setExternalAvatar(context, { table: 'user', id: user.id }, bytes)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    context.log.warn(`cannot update the avatar of user ${user.name}: ${messageOf(error)}`)
  }
}
