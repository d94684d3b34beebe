import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Forbidden, Problem } from '#kernel/errors.ts'
import { randomHex } from '#kernel/ids.ts'
import { checkDomain } from '#people/registration/index.ts'
import { accountName, createExternalUser } from '#people/sources/index.ts'
import { addEmails, checkEmail } from '#people/users/index.ts'
import { fullNameOf, rightsOf } from './follow.ts'
import type { ExternalIdentity } from './protocol.ts'
import { admit, link, type OAuthSource } from './recognise.ts'

/** What a newcomer's account is to be called, and the address for it. */
export interface Wished {
  name: string
  /** Empty: none. */
  email: string
}

/** 403: no account can be made as it was wished. Whoever wished it may wish for another. */
export class CannotRegister extends Forbidden {}

/**
 * Makes the newcomer's account. An address that the source does not vouch for is the account's only once it was confirmed by mail.
 * @throws CannotRegister when name or address are taken, reserved or malformed; what was written until then must not stay
 */
export function register(context: Context, tx: Tx, source: OAuthSource, identity: ExternalIdentity, wished: Wished): UserRow {
  const user = make(context, tx, source, identity, wished)
  link(context, tx, source, identity, user)
  return admit(context, tx, source, identity, user)
}

function make(context: Context, tx: Tx, source: OAuthSource, identity: ExternalIdentity, { name, email }: Wished): UserRow {
  const isVouched = email !== '' && email.toLowerCase() === identity.email.toLowerCase() && isVouchedFor(context, identity)
  const person = { sourceId: source.id, loginName: identity.subject, name, email: isVouched ? email : nowhere(context) }
  try {
    if (email !== '') checkDomain(context.config, email)
    const { user, isNew } = createExternalUser(context, tx, { ...person, fullName: fullNameOf(source.config, identity), ...rightsOf(source.config, identity) })
    // Whoever has it came from another issuer, or unlinked it: nothing shows that they are the same person.
    if (!isNew) throw new CannotRegister(`${identity.subject} of ${source.name} already belongs to another account. Contact a site administrator.`)
    if (!isVouched && email !== '') addEmails(context, tx, user, [email])
    return user
  } catch (error) {
    if (!(error instanceof Problem) || error instanceof CannotRegister) throw error
    throw new CannotRegister(error.message, { cause: error })
  }
}

/** Whether an address counts without a mail to it: unless the source says that it may be anybody's. */
function isVouchedFor({ config }: Pick<Context, 'config'>, { isEmailVerified }: ExternalIdentity): boolean {
  return isEmailVerified !== false && !config.oauth2_client.REGISTER_EMAIL_CONFIRM
}

/** An address for accounts that have none yet. */
function nowhere({ rootUrl }: Pick<Context, 'rootUrl'>): string {
  return `${randomHex(10)}@noreply.${new URL(rootUrl).hostname.replace(/^\[.*\]$/, 'localhost')}`
}

/** What the source's word for a newcomer comes to as the name of an account, by the setting; empty when it has none. */
export function wishedName({ config }: Pick<Context, 'config'>, identity: ExternalIdentity): string {
  const words = { userid: identity.subject, nickname: identity.nickname, email: identity.email, preferred_username: identity.preferredUsername }
  return accountName(words[config.oauth2_client.USERNAME])
}

/** The address that the source tells; empty when it tells none that could be an account's here. */
export function wishedEmail({ email }: ExternalIdentity): string {
  try {
    checkEmail(email)
    return email
  } catch (error) {
    if (error instanceof Problem) return ''
    throw error
  }
}

/** What stands in the way of an account for a newcomer who is asked nothing. */
export type Obstacle = { kind: 'missing'; what: 'name' | 'email address' } | { kind: 'taken'; what: 'name' | 'email address'; by: UserRow }

export function findObstacle(tx: Tx, { name, email }: Wished): Obstacle | undefined {
  if (name === '') return { kind: 'missing', what: 'name' }
  if (email === '') return { kind: 'missing', what: 'email address' }
  const byEmail = accessStore.findUserByEmail(tx, email)
  if (byEmail) return { kind: 'taken', what: 'email address', by: byEmail }
  const byName = accessStore.findUserByName(tx, name)
  return byName && { kind: 'taken', what: 'name', by: byName }
}
