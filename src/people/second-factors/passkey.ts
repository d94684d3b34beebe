import type { Context } from '#context.ts'
import { Forbidden } from '#kernel/errors.ts'
import type { Visit } from '#web/index.ts'
import type { Asked } from './ceremony-form.tsx'
import { makeChallenge } from './challenge.ts'
import { type SignedAnswer, useAsPasskey } from './use-key.ts'
import { requestOptions, siteOf } from './webauthn.ts'

/** What any passkey for this server is asked to sign; nothing is stored for who only asks. @throws Forbidden where passkeys do not sign in */
export function offerPasskey(context: Pick<Context, 'config' | 'secrets' | 'clock'>, visit: Visit): Asked {
  refusePasskeysOff(context)
  const challenge = makeChallenge(context, 'sign in with a passkey')
  return { sealed: challenge.sealed, options: requestOptions(siteOf(visit.root), challenge.value, [], 'required') }
}

/**
 * Signs a browser in.
 * @returns the session's `Set-Cookie`
 * @throws as `useAsPasskey`; Forbidden when the account may not sign in, or passkeys do not
 */
export async function enterByPasskey(context: Context, visit: Visit, request: Request, answer: SignedAnswer): Promise<string> {
  const { authenticator, db } = context
  refusePasskeysOff(context)
  const used = await useAsPasskey(context, siteOf(visit.root), answer)
  authenticator.refuseBarred(used.user)
  return db.tx((tx) => {
    used.note(tx)
    return authenticator.sessions.begin(used.user, request)
  })
}

function refusePasskeysOff({ config }: Pick<Context, 'config'>): void {
  if (!config.service.ENABLE_PASSKEY_AUTHENTICATION) throw new Forbidden('Sign-in with a passkey is disabled on this server. Sign in with your password.')
}
