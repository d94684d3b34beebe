import { type Ident, zoneMinutes } from '../objects/ident.ts'

const MAX_LINE = 78
const MAX_ENCODED_LINE = 76
const ENCODED_START = '=?UTF-8?q?'
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The `From:` line. Source, for all of these: git's `pretty.c`. */
export function fromLine({ name, email }: Ident): string {
  const start = 'From: '
  const isEncoded = needsEncoding(name)
  const shown = isEncoded ? start + encodeWords(name, start.length, isPlainInPhrase) : start + wrap(needsQuotes(name) ? quoted(name) : name, start.length)
  const lastLine = shown.length - (shown.lastIndexOf('\n') + 1)
  const isTooLong = lastLine + email.length + 3 > (isEncoded ? MAX_ENCODED_LINE : MAX_LINE)
  return `${shown}${isTooLong ? '\n' : ''} <${email}>\n`
}

export function subjectLine(prefix: string, subject: string): string {
  const start = `Subject: ${prefix === '' ? '' : `[${prefix}] `}`
  return `${start}${needsEncoding(subject) ? encodeWords(subject, start.length, isPlainInSubject) : wrap(subject, start.length)}\n`
}

/** RFC 2822, in the author's own time zone. */
export function dateLine({ seconds, zone }: Ident): string {
  const date = new Date((seconds + zoneMinutes(zone) * 60) * 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
  return `Date: ${days[date.getUTCDay()]}, ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} ${time} ${zone}\n`
}

export function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text)
}

function needsEncoding(text: string): boolean {
  return !isAscii(text) || text.includes('\n') || text.includes('=?')
}

function needsQuotes(name: string): boolean {
  return /[()<>[\]:;@,."\\]/.test(name)
}

function quoted(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}

const isPlainInSubject = (letter: string) => /^[!-~]$/.test(letter) && !/[=?_]/.test(letter)
const isPlainInPhrase = (letter: string) => /^[A-Za-z0-9!*+/-]$/.test(letter)

/** RFC 2047, the "Q" encoding; letters stay whole. */
function encodeWords(text: string, column: number, isPlain: (letter: string) => boolean): string {
  let out = ENCODED_START
  let length = column + ENCODED_START.length
  for (const letter of text) {
    const encoded = isPlain(letter) ? letter : Array.from(Buffer.from(letter), (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
    if (length + encoded.length + 2 > MAX_ENCODED_LINE) {
      out += `?=\n ${ENCODED_START}`
      length = ENCODED_START.length + 1
    }
    out += encoded
    length += encoded.length
  }
  return `${out}?=`
}

/** Breaks a line before the words that would make it too long. */
function wrap(text: string, column: number): string {
  let out = ''
  let width = column
  for (const word of text.split(/(?=\s)/)) {
    width += word.length
    if (width <= MAX_LINE) out += word
    else {
      const bare = word.trimStart()
      out += `\n ${bare}`
      width = 1 + bare.length
    }
  }
  return out
}
