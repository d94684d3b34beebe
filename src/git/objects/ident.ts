import { GitError } from '../errors.ts'

/** Who did something and when, as commits and tags say it: `Ada Lovelace <ada@example.com> 1700000000 +0100`. */
export interface Ident {
  name: string
  email: string
  /** Seconds since 1970, UTC; 0 when the text has none that can be read. */
  seconds: number
  /** `+hhmm` or `-hhmm`; `+0000` when the text has none that can be read. */
  zone: string
}

const isZone = /^[+-][0-9]{4}$/
/** `Date` goes no further. */
const MAX_SECONDS = 8_640_000_000_000

/**
 * Takes an identity line apart as git's `split_ident_line` does: the address ends at the first `>` after the first `<`, the date is what
 * follows the last `>`. History holds lines of every kind: what is missing or odd comes out empty, nothing throws.
 */
export function parseIdent(text: string): Ident {
  const less = text.indexOf('<')
  const date = parseDate(text.slice(text.lastIndexOf('>') + 1))
  if (less < 0) return { name: text.trim(), email: '', ...date }
  const greater = text.indexOf('>', less)
  return { name: text.slice(0, less).trim(), email: text.slice(less + 1, greater < 0 ? undefined : greater).trim(), ...date }
}

/** @throws GitError `refused` for a zone or time that is none, or a name or address that would not come out as it went in */
export function encodeIdent({ name, email, seconds, zone }: Ident): string {
  if (/[\0\n<>]/.test(name + email)) throw refused('a name or address has "<", ">", a NUL or a line break')
  if (name !== name.trim() || email !== email.trim()) throw refused('a name or address starts or ends with whitespace')
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw refused(`${seconds} is not a valid time`)
  if (!isZone.test(zone)) throw refused(`"${zone}" is not a time zone: expected +hhmm`)
  return `${name} <${email}> ${seconds} ${zone}`
}

/** Minutes east of UTC. */
export function zoneMinutes(zone: string): number {
  if (!isZone.test(zone)) return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  return zone[0] === '-' ? -minutes : minutes
}

function parseDate(text: string): { seconds: number; zone: string } {
  const [seconds = '', zone] = text.trim().split(/\s+/, 2)
  return { seconds: parseSeconds(seconds), zone: zone !== undefined && isZone.test(zone) ? zone : '+0000' }
}

function parseSeconds(text: string): number {
  const seconds = /^[0-9]{1,16}$/.test(text) ? Number(text) : 0
  return seconds <= MAX_SECONDS ? seconds : 0
}

function refused(reason: string): GitError {
  return new GitError('refused', `Cannot encode identity: ${reason}`)
}
