import { type ExternalIdentity, SignOnRefused } from './protocol.ts'

export type Claims = Readonly<Record<string, unknown>>

/** Longer ones are no names. */
const MAX_TEXT = 1024
/** More groups of one person are not looked at. */
const MAX_GROUPS = 5000

/** A claim that is a text or a number; empty for everything else. */
export function textOf(claims: Claims, name: string): string {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.length <= MAX_TEXT ? value.trim() : ''
}

/** A claim that is a list of texts, or a text with commas between them. */
export function textsOf(claims: Claims, name: string): string[] {
  const value = name !== '' && Object.hasOwn(claims, name) ? claims[name] : undefined
  const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  const texts = items.filter((one) => ['string', 'number', 'boolean'].includes(typeof one)).map((one) => String(one).trim())
  return texts.filter((one) => one !== '').slice(0, MAX_GROUPS)
}

/** More keys of one person are not looked at, nor longer ones. */
const [MAX_LINES, MAX_LINE] = [100, 20_000]

/** A claim that is a list of texts, or a text of one line each. */
export function linesOf(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  const items = typeof value === 'string' ? value.split('\n') : Array.isArray(value) ? value : []
  const lines = items.filter((one): one is string => typeof one === 'string' && one.length <= MAX_LINE).map((one) => one.trim())
  return lines.filter((one) => one !== '').slice(0, MAX_LINES)
}

/** Whether the claim is there and, when a value is asked for, is it or has it among others. No name asks for nothing. */
export function hasClaim(claims: Claims, name: string, value: string): boolean {
  if (name === '') return true
  if (!Object.hasOwn(claims, name)) return false
  return value === '' || textsOf(claims, name).includes(value)
}

/** Longer ones are against the standard: OpenID Connect Core 1.0, section 2. */
const MAX_SUBJECT = 255

/** @throws SignOnRefused when it tells nobody from anybody else */
export function subjectOf(subject: string): string {
  if (subject.trim() === '' || subject.length > MAX_SUBJECT) throw new SignOnRefused('The subject is empty or too long')
  return subject
}

/**
 * What an OpenID provider says of a person: in the ID token, and where it gives more in its answer to who holds the access token.
 * An address and whether it is verified come from one of the two, never from both.
 */
export function identityFrom(issuer: string, token: Claims & { sub: string }, info: Claims = {}): ExternalIdentity {
  const claims = { ...token, ...info, iss: issuer, sub: token.sub }
  const teller = textOf(info, 'email') === '' ? token : info
  return {
    issuer,
    subject: subjectOf(token.sub),
    nickname: textOf(claims, 'nickname') || textOf(claims, 'preferred_username'),
    preferredUsername: textOf(claims, 'preferred_username'),
    email: textOf(teller, 'email'),
    isEmailVerified: isVerified(teller.email_verified),
    fullName: textOf(claims, 'name'),
    picture: textOf(claims, 'picture'),
    claims,
  }
}

/** Some providers say it as a text. */
function isVerified(said: unknown): boolean | undefined {
  if (said === undefined || said === null) return undefined
  return said === true || said === 'true'
}
