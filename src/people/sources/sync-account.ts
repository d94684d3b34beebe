import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import { checkEmail, userStore } from '#people/users/index.ts'
import { MAX_FULL_NAME } from './external-user.ts'
import type { FoundPerson } from './found.ts'
import { followSource, giveAvatar, settle } from './settle.ts'
import type { Source } from './source.ts'
import { isAbsent, setAbsent, setPresent } from './store.ts'

/** Makes an account for somebody who never signed in. @returns its id; undefined when none can be made, which the log tells */
export async function createFound(context: Context, source: Source, found: FoundPerson): Promise<number | undefined> {
  try {
    return (await settle(context, source, found)).id
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    context.log.warn(`cannot create an account for ${found.loginName} of authentication source "${source.name}": ${error.message}`)
    return undefined
  }
}

/** An account that a synchronisation made inactive is active again; one that somebody else did stays as it is. */
export async function bringUpToDate(context: Context, source: Source, row: UserRow, found: FoundPerson): Promise<void> {
  const isUpdated = context.config['cron.sync_external_users'].UPDATE_EXISTING
  const user = context.db.tx((tx) => {
    const present = presentRow(tx, source, row)
    if (!present) return undefined
    const isBack = present.is_active === 0 && isAbsent(tx, present.id)
    if (isBack) setPresent(tx, present.id, context.clock.seconds())
    if (!isUpdated || (present.is_active === 0 && !isBack)) return undefined
    describe(context, tx, present, found)
    followSource(context, tx, source, present, found)
    return present
  })
  if (user && found.avatar) await giveAvatar(context, user, found.avatar)
}

/** Makes the account of somebody whom the source has no more inactive, but not the last administrator's, which the log tells. */
export function takeOut(context: Pick<Context, 'db' | 'clock' | 'log'>, source: Source, row: UserRow): void {
  context.db.tx((tx) => {
    const present = presentRow(tx, source, row)
    if (present?.is_active !== 1) return
    if (userStore.isLastAdmin(tx, present.id))
      context.log.warn(
        `user ${present.name} stays active although authentication source "${source.name}" no longer has the user: there is no other site administrator`,
      )
    else setAbsent(tx, present.id, context.clock.seconds())
  })
}

/** The account as it is now, if it is still this person's. */
function presentRow(tx: Tx, source: Source, row: UserRow): UserRow | undefined {
  const present = accessStore.findUserById(tx, row.id)
  return present?.login_source === source.id && present.login_name === row.login_name ? present : undefined
}

function describe({ clock, log }: Pick<Context, 'clock' | 'log'>, tx: Tx, user: UserRow, { fullName, email }: FoundPerson): void {
  const name = fullName?.slice(0, MAX_FULL_NAME)
  if (name && name !== user.full_name) userStore.updateUser(tx, user.id, { full_name: name, updated_at: clock.seconds() })
  if (email === '' || email.toLowerCase() === user.email.toLowerCase()) return
  const holder = accessStore.findUserByEmail(tx, email)
  if (isAddress(email) && !userStore.isEmailReserved(tx, email) && (!holder || holder.id === user.id)) userStore.setPrimaryEmail(tx, user.id, email)
  else log.warn(`email address of user ${user.name} not updated: the address from the authentication source is invalid or used by another account`)
}

function isAddress(email: string): boolean {
  try {
    checkEmail(email)
    return true
  } catch {
    return false
  }
}
