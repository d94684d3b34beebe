import type { Commit } from '../objects/commit.ts'
import type { Ident } from '../objects/ident.ts'
import type { Oid } from '../objects/oid.ts'
import { dateStyles } from './commit-dates.ts'
import type { RequestedTag } from './requested-tag.ts'

export interface NamedCommit extends Commit {
  oid: Oid
  tag?: RequestedTag | undefined
}

/**
 * Abbreviated ids are this long whatever else the repository holds: git lengthens them as it grows, and then yesterday's archive has
 * other bytes today.
 */
const ABBREVIATION = 10

/** The text for each placeholder. */
const placeholders: Readonly<Record<string, (commit: NamedCommit) => string>> = {
  H: ({ oid }) => oid,
  h: ({ oid }) => oid.slice(0, ABBREVIATION),
  T: ({ tree }) => tree,
  t: ({ tree }) => tree.slice(0, ABBREVIATION),
  P: ({ parents }) => parents.join(' '),
  p: ({ parents }) => parents.map((oid) => oid.slice(0, ABBREVIATION)).join(' '),
  m: () => '>',
  d: ({ tag }) => tag?.decorate('') ?? '',
  D: ({ tag }) => tag?.label ?? '',
  e: ({ encoding }) => encoding ?? '',
  s: ({ message }) => subjectOf(message).text,
  f: ({ message }) => sanitized(message.replace(/^(?:[ \t\r\f\v]*\n)+/, '').split('\n', 1)[0] ?? ''),
  b: ({ message }) => subjectOf(message).body,
  B: ({ message }) => message,
  n: () => '\n',
  '%': () => '%',
}

/**
 * Fills the placeholders of git's `--pretty=format:` with what the commit says. Those that depend on more than the commit (`%ar`, colours,
 * signatures, notes), and unknown ones, stay as they are written. Bytes, because `%x` may name any. Source: `Documentation/pretty-formats.txt`.
 */
export function formatCommit(commit: NamedCommit, format: string): Uint8Array {
  let out = ''
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf('%', at)
    const end = percent < 0 ? format.length : percent
    out += byteText(format.slice(at, end))
    at = end
    if (percent >= 0) ({ text: out, end: at } = expand(commit, format, percent, out))
  }
  return Buffer.from(out, 'latin1')
}

/** The bytes of a text, a character each. */
function byteText(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** What the placeholder at `percent` makes of the text so far. `%+x`, `%-x` and `% x` care for what stands before it. */
function expand(commit: NamedCommit, format: string, percent: number, before: string): { text: string; end: number } {
  const magic = /[-+ ]/.test(format[percent + 1] ?? '') ? (format[percent + 1] as string) : ''
  const found = lookUp(commit, format, percent + 1 + magic.length)
  if (found === undefined) return { text: `${before}%`, end: percent + 1 }
  if (found.text === '') return { text: magic === '-' ? before.replace(/(?<!\n)\n+$/, '') : before, end: found.end }
  const lead = { '+': '\n', ' ': ' ' }[magic] ?? ''
  return { text: before + lead + found.text, end: found.end }
}

/** The placeholder whose letters begin at `at`. */
function lookUp(commit: NamedCommit, format: string, at: number): { text: string; end: number } | undefined {
  const letter = format[at] ?? ''
  if (letter === 'x') return hexByte(format, at)
  if (letter === 'a' || letter === 'c') return person(letter === 'a' ? commit.author : commit.committer, format, at)
  const [whole, kind, options = ''] = /^\((describe|decorate)(?::([^()]*))?\)/.exec(format.slice(at, at + 200)) ?? []
  if (whole !== undefined) return { text: byteText(commit.tag?.[kind as 'describe' | 'decorate'](options) ?? ''), end: at + whole.length }
  const value = Object.hasOwn(placeholders, letter) ? placeholders[letter] : undefined
  return value && { text: byteText(value(commit)), end: at + 1 }
}

function hexByte(format: string, at: number): { text: string; end: number } | undefined {
  const digits = /^[0-9a-fA-F]{2}$/.exec(format.slice(at + 1, at + 3))?.[0]
  return digits === undefined ? undefined : { text: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 3 }
}

function person(who: Ident, format: string, at: number): { text: string; end: number } | undefined {
  const part = format[at + 1] ?? ''
  const end = at + 2
  if (part === 'n' || part === 'N') return { text: byteText(who.name), end }
  if (part === 'e' || part === 'E') return { text: byteText(who.email), end }
  if (part === 'l' || part === 'L') return { text: byteText(who.email.split('@', 1)[0] ?? ''), end }
  const style = Object.hasOwn(dateStyles, part) ? dateStyles[part] : undefined
  return style && { text: style(who), end }
}

/** The first paragraph on one line, and what follows it. */
function subjectOf(message: string): { text: string; body: string } {
  const lines = message.split('\n')
  const isBlank = (line: string | undefined) => line !== undefined && line.trim() === ''
  let at = 0
  while (at < lines.length - 1 && isBlank(lines[at])) at++
  const subject: string[] = []
  for (; at < lines.length && !isBlank(lines[at]); at++) subject.push((lines[at] as string).trimEnd())
  while (at < lines.length - 1 && isBlank(lines[at])) at++
  return { text: subject.join(' '), body: lines.slice(at).join('\n') }
}

/** For a file's name: what is no letter, digit, dot or underscore becomes one dash. */
function sanitized(subject: string): string {
  return subject
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^-/, '')
    .replace(/(?<![-.])[-.]+$/, '')
}
