import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Forbidden } from '#kernel/errors.ts'
import { hasClaim } from './claims.ts'
import type { ExternalIdentity } from './protocol.ts'
import { admit, link, type OAuthSource, recognise } from './recognise.ts'
import { CannotRegister, findObstacle, register, wishedEmail, wishedName } from './register.ts'

/** Whose account a sign-in at another site comes to; or that the person is to be asked, and why. */
export type Settled = { user: UserRow } | { user: undefined; note: string | undefined }

/**
 * Settles who was shown by the source: the account that is known to be theirs, else one that is made for them where the settings say so.
 * @param isSignedIn whether somebody is signed in at the browser; who they are is asked then before anything is made or linked
 * @throws Forbidden for whom the source's settings, or those of the account, keep out
 */
export function settle(context: Context, source: OAuthSource, identity: ExternalIdentity, isSignedIn: boolean): Settled {
  const { required_claim_name, required_claim_value } = source.config
  if (!hasClaim(identity.claims, required_claim_name, required_claim_value))
    throw new Forbidden(`Your account at ${source.name} is not allowed to sign in here. Contact a site administrator.`)
  try {
    return context.db.tx((tx) => {
      const user = recognise(context, tx, source, identity)
      if (user) return { user }
      return isSignedIn || !registersByItself(context) ? { user: undefined, note: undefined } : registerUnasked(context, tx, source, identity)
    })
  } catch (error) {
    if (error instanceof CannotRegister) return { user: undefined, note: error.message }
    throw error
  }
}

function registersByItself({ config }: Pick<Context, 'config'>): boolean {
  return config.oauth2_client.ENABLE_AUTO_REGISTRATION && !config.service.ALLOW_ONLY_INTERNAL_REGISTRATION
}

function registerUnasked(context: Context, tx: Tx, source: OAuthSource, identity: ExternalIdentity): Settled {
  const wished = { name: wishedName(context, identity), email: wishedEmail(identity) }
  const obstacle = findObstacle(tx, wished)
  if (!obstacle) return { user: register(context, tx, source, identity, wished) }
  if (obstacle.kind === 'missing') return { user: undefined, note: `${source.name} did not provide a usable ${obstacle.what}.` }
  const { ACCOUNT_LINKING } = context.config.oauth2_client
  const taken = `An account with the same ${obstacle.what} already exists.`
  if (ACCOUNT_LINKING === 'disabled') throw new Forbidden(`${taken} Contact a site administrator.`)
  // A name shows nothing: whoever comes first has it. An address that both sides had somebody prove does.
  const isProven = obstacle.what === 'email address' && identity.isEmailVerified === true && obstacle.by.kind === 'person'
  if (ACCOUNT_LINKING !== 'auto' || !isProven) return { user: undefined, note: `${taken} If it is your account, sign in to link it.` }
  link(context, tx, source, identity, obstacle.by)
  return { user: admit(context, tx, source, identity, obstacle.by) }
}
