import { GitError } from '../errors.ts'
import { isOid, type Oid } from '../objects/oid.ts'

/**
 * One line of a reflog: `old SP new SP name SP <email> SP seconds SP zone TAB message LF`.
 * Source: git's `refs/files-backend.c`, `log_ref_write_fd` and `show_one_reflog_ent`.
 */
export interface ReflogEntry {
  old: Oid
  new: Oid
  name: string
  email: string
  /** Seconds since 1970. */
  time: number
  /** `+0200`, as it stands in the line. */
  zone: string
  message: string
}

const MAX_LINE = 16 * 1024
const line = /^([0-9a-f]+) ([0-9a-f]+) (.*?) ?<([^<>\n]*)> (\d{1,15}) ([+-]\d{4})(?:\t(.*))?$/

/** The line, LF included. Line breaks in `message` become spaces, as git writes them, and what would break the ident is dropped. */
export function formatReflogLine(entry: ReflogEntry): string {
  const ident = `${plain(entry.name)} <${plain(entry.email)}> ${entry.time} ${entry.zone}`
  const message = entry.message
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LINE / 4)
  return `${entry.old} ${entry.new} ${ident}${message === '' ? '' : `\t${message}`}\n`
}

/** @throws GitError `corrupt` when `text` is not one reflog line (with or without its LF) */
export function parseReflogLine(text: string): ReflogEntry {
  const found = text.length <= MAX_LINE ? line.exec(text.endsWith('\n') ? text.slice(0, -1) : text) : null
  if (found === null || !isOid(found[1] as string) || !isOid(found[2] as string)) {
    throw new GitError('corrupt', `Cannot parse reflog line "${text.slice(0, 120)}": "old new name <email> seconds zone<TAB>message" expected`)
  }
  const [, old, next, name = '', email = '', time, zone = '', message = ''] = found
  return { old: old as Oid, new: next as Oid, name, email, time: Number(time), zone, message }
}

/** What `git` strips from names and addresses: angle brackets and control characters. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f<>]/g, '').trim()
}
