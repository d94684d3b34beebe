import type { Context } from '#context.ts'
import type { Visit } from '#web/index.ts'
import type { Asked } from './ceremony-form.tsx'
import { makeChallenge } from './challenge.ts'
import { type SignedAnswer, useAsPasskey } from './use-key.ts'
import { requestOptions, siteOf } from './webauthn.ts'

/** What any passkey for this server is asked to sign; nothing is stored for who only looks at the page. */
export function offerPasskey(context: Context, visit: Visit): Asked {
  const challenge = makeChallenge(context, 'sign in with a passkey')
  return { sealed: challenge.sealed, options: requestOptions(siteOf(visit.root), challenge.value, [], 'required') }
}

/**
 * Signs a browser in.
 * @returns the session's `Set-Cookie`
 * @throws as `useAsPasskey`; Forbidden when the account may not sign in
 */
export async function enterByPasskey(context: Context, visit: Visit, request: Request, answer: SignedAnswer): Promise<string> {
  const { authenticator, db } = context
  const used = await useAsPasskey(context, siteOf(visit.root), answer)
  authenticator.refuseBarred(used.user)
  return db.tx((tx) => {
    used.note(tx)
    return authenticator.sessions.begin(used.user, request)
  })
}
