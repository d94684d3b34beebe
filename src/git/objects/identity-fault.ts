import type { IgnorableFault } from './fsck-messages.ts'

const TAB = 9
const SPACE = 32
const PLUS = 43
const MINUS = 45
const ZERO = 48
const LESS = 60
const GREATER = 62
/** What a signed number of 64 bits holds without a look at its digits. */
const MAX_DATE_DIGITS = 18

export interface IdentityFault {
  id: IgnorableFault | 'missingEmail'
  reason: string
}

/**
 * What is wrong with `name <mail> seconds zone` in `bytes[at, end)`, first things first; undefined when it is as git writes it. The line feed
 * that ends it is at `end`: what asks for another byte than that need not ask where it is.
 * Source: `fsck_ident` of git's `fsck.c`.
 */
export function findIdentityFault(bytes: Uint8Array, at: number, end: number): IdentityFault | undefined {
  if (bytes[at] === LESS) return { id: 'missingNameBeforeEmail', reason: 'has no name before the email address' }
  const less = angleFrom(bytes, at, end)
  if (bytes[less] === GREATER) return { id: 'badName', reason: 'has a ">" in the name' }
  if (less === end) return { id: 'missingEmail', reason: 'has no <email>' }
  if (bytes[less - 1] !== SPACE) return { id: 'missingSpaceBeforeEmail', reason: 'has no space before the email address' }
  const greater = angleFrom(bytes, less + 1, end)
  if (bytes[greater] !== GREATER) return { id: 'badEmail', reason: 'has an email address that contains "<" or is not closed with ">"' }
  if (bytes[greater + 1] !== SPACE) return { id: 'missingSpaceBeforeDate', reason: 'has no space before the date' }
  return findDateFault(bytes, greater + 2, end)
}

function findDateFault(bytes: Uint8Array, at: number, end: number): IdentityFault | undefined {
  while (bytes[at] === SPACE || bytes[at] === TAB) at++
  if (bytes[at] === ZERO && bytes[at + 1] !== SPACE) return { id: 'zeroPaddedDate', reason: 'has a date that starts with a zero' }
  if (bytes[at] === MINUS && isDigit(bytes[at + 1] as number)) return { id: 'badDateOverflow', reason: 'has a negative date' }
  let digitsEnd = at
  while (isDigit(bytes[digitsEnd] as number)) digitsEnd++
  if (digitsEnd - at > MAX_DATE_DIGITS) return { id: 'badDateOverflow', reason: 'has a date that is out of range' }
  if (digitsEnd === at || bytes[digitsEnd] !== SPACE) return { id: 'badDate', reason: 'has a date that is not a number' }
  return isZone(bytes, digitsEnd + 1, end) ? undefined : { id: 'badTimezone', reason: 'has a time zone that is not of the form +hhmm' }
}

function isZone(bytes: Uint8Array, at: number, end: number): boolean {
  if (end - at !== 5 || (bytes[at] !== PLUS && bytes[at] !== MINUS)) return false
  for (let i = at + 1; i < end; i++) if (!isDigit(bytes[i] as number)) return false
  return true
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/** Where the next `<` or `>` is, or `end`. */
function angleFrom(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] !== LESS && bytes[at] !== GREATER) at++
  return at
}
