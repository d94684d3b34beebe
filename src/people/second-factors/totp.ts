import type { TOTP } from 'otpauth'

/** Seconds for which a code is shown, and how many steps before and after the present one are taken, for clocks that are off. */
const PERIOD = 30
const WINDOW = 1
/** RFC 4226, section 4: 160 bits. */
const SECRET_BYTES = 20

/** Who the codes are for, as the app shows it. */
export interface TotpLabel {
  issuer: string
  account: string
}

/** Base32. */
export async function makeSecret(): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The address by which an app takes the secret over, as `otpauth://totp/…`. Source: Google Authenticator's key URI format. */
export async function addressOf(secret: string, { issuer, account }: TotpLabel): Promise<string> {
  // A colon would end the issuer.
  return (await totpOf(secret, issuer.replaceAll(':', ' '), account)).toString()
}

/**
 * The time step that a code of six digits was made for: the present one, or one beside it. Undefined when it is of none of them.
 * @param secret base32
 * @param now Unix seconds
 * @see RFC 6238
 */
export async function stepOf(secret: string, code: string, now: number): Promise<number | undefined> {
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return undefined
  const delta = (await totpOf(secret)).validate({ token: digits, timestamp: now * 1000, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / PERIOD) + delta
}

async function totpOf(secret: string, issuer = '', label = ''): Promise<TOTP> {
  const otpauth = await import('otpauth')
  return new otpauth.TOTP({ secret: otpauth.Secret.fromBase32(secret), issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD })
}
