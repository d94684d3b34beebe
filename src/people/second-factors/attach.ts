import type { Context } from '#context.ts'
import { countFactors } from './store.ts'

/** Tells whoever checks passwords which accounts ask for more. */
export function attachSecondFactors(context: Context): void {
  context.authenticator.plugs.secondFactors = {
    isEnrolled: ({ id }) => {
      const { totp, keys } = countFactors(context.db, id)
      return totp + keys > 0
    },
    hasSecurityKeysOnly: ({ id }) => {
      const { totp, keys } = countFactors(context.db, id)
      return totp === 0 && keys > 0
    },
    verifyCode: async (user, code) => (await import('./change-totp.ts')).takeTotpCode(context, user, code),
  }
}
