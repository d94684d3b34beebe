import { type Member, recheckAccount } from '#access/index.ts'
import type { Context } from '#context.ts'
import { sha256Hex } from '#kernel/ids.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { formatScopes, type GrantedScopes, parseScopes, unionOf } from './scopes.ts'
import { digestOf, makeSecret } from './secrets.ts'
import { findGrant, putGrant } from './store.ts'
import { insertAuthorization } from './token-store.ts'

/** How long a code can be exchanged. */
const CODE_SECONDS = 600

/** How many times a person can have let the same application in at once, on as many machines say; the oldest goes first. */
const MAX_AUTHORIZATIONS = 100

/** What the person had agreed to before. */
export function grantedTo(context: Pick<Context, 'db'>, { client }: AuthorizationRequest, { user }: Member): GrantedScopes | undefined {
  const grant = findGrant(context.db, client.id, user.id)
  return grant && parseScopes(grant.scope)
}

/** When the person's browser was signed in, in Unix seconds. */
export function signedInAt({ authenticator }: Pick<Context, 'authenticator'>, { user, sessionId }: Member): number {
  return authenticator.sessions.list(user).find(({ id }) => id === sessionId)?.created_at ?? 0
}

/** The person agrees to what is asked. @returns the code that the application exchanges for tokens */
export function issueCode(context: Pick<Context, 'db' | 'authenticator' | 'clock'>, asked: AuthorizationRequest, viewer: Member): string {
  const code = makeSecret('code')
  const now = context.clock.seconds()
  const row = {
    code_digest: digestOf(code),
    code_expires_at: now + CODE_SECONDS,
    redirect_uri: asked.askedUri,
    code_challenge: asked.codeChallenge,
    code_challenge_method: asked.codeChallengeMethod,
    scope: formatScopes(asked.scopes),
    nonce: asked.nonce,
    signed_in_at: signedInAt(context, viewer),
    credential: credentialOf(viewer.user),
    ends_at: now + CODE_SECONDS,
  }
  context.db.tx((tx) => {
    recheckAccount(tx, viewer.user)
    const former = findGrant(tx, asked.client.id, viewer.user.id)
    const scopes = former ? unionOf(asked.scopes, parseScopes(former.scope)) : asked.scopes
    const grantId = putGrant(tx, asked.client.id, viewer.user.id, formatScopes(scopes), now)
    insertAuthorization(tx, { ...row, grant_id: grantId }, now, MAX_AUTHORIZATIONS)
  })
  return code
}

/** Changes with the password: a code that was asked for under another is not exchanged. */
export function credentialOf({ password_hash }: { password_hash: string }): string {
  return sha256Hex(`oauth2 code ${password_hash}`)
}
