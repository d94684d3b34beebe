import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Conflict } from '#kernel/errors.ts'
import { findUserOfSource, refuseUnused, type SourceOf } from '#people/sources/index.ts'
import { followSource } from './follow.ts'
import type { ExternalIdentity } from './protocol.ts'
import { findIdentity, insertIdentity, listIdentities, touchIdentity } from './store.ts'

export type OAuthSource = SourceOf<'oauth2'>

/**
 * Whose account the person has who was shown by the source; undefined when they have none. What the source decides of the account is
 * brought up to date.
 * @throws Forbidden when the account may not sign in, or the source is not in use any more; then nothing is changed
 */
export function recognise(context: Context, tx: Tx, source: OAuthSource, identity: ExternalIdentity): UserRow | undefined {
  refuseUnused(tx, source.id)
  const user = findHolder(context, tx, source, identity)
  return user && admit(context, tx, source, identity, user)
}

/** Lets the account in, with what the source says of it. @returns the account as it is then. @throws Forbidden when it may not sign in */
export function admit(context: Context, tx: Tx, source: OAuthSource, identity: ExternalIdentity, user: UserRow): UserRow {
  context.authenticator.refuseBarred(user)
  followSource(context, tx, source, identity, user)
  return accessStore.findUserById(tx, user.id) as UserRow
}

function findHolder(context: Pick<Context, 'clock'>, tx: Tx, source: OAuthSource, identity: ExternalIdentity): UserRow | undefined {
  const known = findIdentity(tx, source.id, identity.issuer, identity.subject)
  const holder = known ? accessStore.findUserById(tx, known.user_id) : findExpected(tx, source, identity)
  if (holder?.kind !== 'person') return undefined
  if (known) touchIdentity(tx, known.id, nameOf(identity), context.clock.seconds())
  else insertLink(context, tx, source, identity, holder)
  return holder
}

/**
 * An account that an administrator gave to the source with the subject as its login name, and that nobody has signed in to yet. Once
 * somebody has, the issuer counts as well: a source that is given another one does not hand over its accounts.
 */
function findExpected(tx: Tx, source: OAuthSource, { subject }: ExternalIdentity): UserRow | undefined {
  const user = findUserOfSource(tx, source.id, subject)
  return user && listIdentities(tx, user.id).every((one) => one.source_id !== source.id) ? user : undefined
}

/** From now on whoever the source shows to be that person signs in to the account. @throws Conflict when that is another account by now */
export function link(context: Pick<Context, 'clock'>, tx: Tx, source: OAuthSource, identity: ExternalIdentity, user: UserRow): void {
  refuseUnused(tx, source.id)
  const known = findIdentity(tx, source.id, identity.issuer, identity.subject)
  if (known && known.user_id !== user.id) throw new Conflict(`${nameOf(identity)} at ${source.name} is already linked to another account.`)
  if (!known) insertLink(context, tx, source, identity, user)
}

function insertLink({ clock }: Pick<Context, 'clock'>, tx: Tx, source: OAuthSource, identity: ExternalIdentity, user: UserRow): void {
  const now = clock.seconds()
  const { issuer, subject } = identity
  insertIdentity(tx, { user_id: user.id, source_id: source.id, issuer, subject, name: nameOf(identity), created_at: now, last_used_at: now })
}

/** What people know themselves by at the other site. */
export function nameOf({ preferredUsername, nickname, email, subject }: ExternalIdentity): string {
  return (preferredUsername || nickname || email || subject).slice(0, 255)
}
