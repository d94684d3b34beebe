import type { UserRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'

export interface AuthorizationRow {
  id: number
  grant_id: number
  code_digest: string
  code_expires_at: number
  redeemed_at: number | null
  redirect_uri: string
  code_challenge: string
  code_challenge_method: '' | 'S256' | 'plain'
  scope: string
  nonce: string
  signed_in_at: number
  credential: string
  ends_at: number
}

/** An authorization, and whom and what it is between. */
export interface HeldAuthorization extends AuthorizationRow {
  application_id: number
  user_id: number
}

export interface TokenRow {
  id: number
  authorization_id: number
  kind: 'access' | 'refresh'
  digest: string
  scope: string
  created_at: number
  expires_at: number
  used_at: number | null
}

/** A token of any kind, with what it descends from. */
export interface HeldToken extends TokenRow {
  grant_id: number
  application_id: number
  user_id: number
}

/** Those of an application that was deleted a moment ago may still be there. */
const withGrant = 'JOIN oauth2_grant AS grant_ ON grant_.id = grant_id JOIN oauth2_application AS application ON application.id = application_id'

export function findAuthorizationByCode(db: Db, digest: string): HeldAuthorization | undefined {
  return db.find<HeldAuthorization>(
    `SELECT oauth2_authorization.*, application_id, user_id FROM oauth2_authorization ${withGrant} WHERE code_digest = ?`,
    digest,
  )
}

export function findAuthorization(db: Db, id: number): HeldAuthorization | undefined {
  return db.find<HeldAuthorization>(
    `SELECT oauth2_authorization.*, application_id, user_id FROM oauth2_authorization ${withGrant} WHERE oauth2_authorization.id = ?`,
    id,
  )
}

/** Keeps the grant's newest ones, and removes some of what is over, of whomever it is: more than is added. */
export function insertAuthorization(tx: Tx, row: Omit<AuthorizationRow, 'id' | 'redeemed_at'>, now: number, keep: number): void {
  tx.run('DELETE FROM oauth2_authorization WHERE id IN (SELECT id FROM oauth2_authorization WHERE ends_at < ? LIMIT 100)', now)
  tx.insert('oauth2_authorization', { ...row })
  tx.run(
    'DELETE FROM oauth2_authorization WHERE grant_id = ?1 AND id NOT IN (SELECT id FROM oauth2_authorization WHERE grant_id = ?1 ORDER BY id DESC LIMIT ?2)',
    row.grant_id,
    keep,
  )
}

/** @returns whether it was there to redeem: of two who come at once, one does */
export function redeemCode(tx: Tx, id: number, now: number): boolean {
  return tx.run('UPDATE oauth2_authorization SET redeemed_at = ? WHERE id = ? AND redeemed_at IS NULL', now, id) > 0
}

/** With all tokens that descend from it. */
export function deleteAuthorization(tx: Tx, id: number): void {
  tx.run('DELETE FROM oauth2_authorization WHERE id = ?', id)
}

/** Adds a token, and removes those of the authorization that are over. */
export function insertToken(tx: Tx, row: Omit<TokenRow, 'id' | 'used_at'>): void {
  tx.run('DELETE FROM oauth2_token WHERE authorization_id = ? AND expires_at < ?', row.authorization_id, row.created_at)
  tx.insert('oauth2_token', { ...row })
  tx.run('UPDATE oauth2_authorization SET ends_at = max(ends_at, ?) WHERE id = ?', row.expires_at, row.authorization_id)
}

/** Of each kind the authorization keeps its newest ones. */
export function deleteOldTokens(tx: Tx, authorizationId: number, kind: TokenRow['kind'], keep: number): void {
  tx.run(
    'DELETE FROM oauth2_token WHERE authorization_id = ?1 AND kind = ?2 AND id NOT IN (SELECT id FROM oauth2_token WHERE authorization_id = ?1 AND kind = ?2 ORDER BY id DESC LIMIT ?3)',
    authorizationId,
    kind,
    keep,
  )
}

/** @returns whether it had not been used: of two who come at once, one is told so */
export function useRefreshToken(tx: Tx, id: number, now: number): boolean {
  return tx.run('UPDATE oauth2_token SET used_at = ? WHERE id = ? AND used_at IS NULL', now, id) > 0
}

export function findToken(db: Db, digest: string): HeldToken | undefined {
  return db.find<HeldToken>(
    `SELECT oauth2_token.*, grant_id, application_id, user_id
     FROM oauth2_token JOIN oauth2_authorization AS authorization ON authorization.id = authorization_id ${withGrant} WHERE digest = ?`,
    digest,
  )
}

/** Whom an access token speaks for, with what is asked of it at each request. */
export interface AccessTokenHolder extends UserRow {
  access_token_id: number
  grant_id: number
  scope: string
  expires_at: number
  last_used_at: number | null
}

export function findAccessTokenHolder(db: Db, digest: string): AccessTokenHolder | undefined {
  return db.lookUp<AccessTokenHolder>(
    `SELECT user.*, oauth2_token.id AS access_token_id, grant_id, oauth2_token.scope, oauth2_token.expires_at, grant_.last_used_at
     FROM oauth2_token JOIN oauth2_authorization AS authorization ON authorization.id = authorization_id ${withGrant} JOIN user ON user.id = user_id
     WHERE digest = ? AND oauth2_token.kind = 'access'`,
    digest,
  )
}
