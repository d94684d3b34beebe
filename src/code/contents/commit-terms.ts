import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Ident } from '#git/objects/ident.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { secondsOf } from '#kernel/schema.ts'
import { gitIdentity } from '#people/users/index.ts'
import type { CommitOptions, Identity } from './schema.ts'

/** Who made a commit, when, and what it says. */
export interface CommitTerms {
  author: Ident
  committer: Ident
  message: string
}

/**
 * What a request says of its commit, with the rest from who asks. Of author and committer one alone stands for both, as in Gitea.
 * @param fallback the message when there is none
 * @throws Unprocessable on dates that are none
 */
export function commitTerms(context: Pick<Context, 'clock' | 'rootUrl'>, doer: UserRow, body: CommitOptions, fallback: string): CommitTerms {
  const self = gitIdentity(context, doer)
  const author = identOf(self, body.author ?? body.committer, body.dates?.author, 'author')
  const committer = identOf(self, body.committer ?? body.author, body.dates?.committer, 'committer')
  const text = `${(body.message?.trim() || fallback).trimEnd()}\n`
  return { author, committer, message: body.signoff ? withSignoff(text, committer) : text }
}

function identOf(self: Ident, given: Identity | undefined, date: string | undefined, field: string): Ident {
  return { ...self, name: given?.name || self.name, email: given?.email || self.email, ...(date ? parseDate(date, field) : {}) }
}

/** RFC 3339, in the zone that it names; nothing for Go's zero time, which its SDK sends for none. */
function parseDate(text: string, field: string): Pick<Ident, 'seconds' | 'zone'> | undefined {
  const seconds = secondsOf(text)
  const zone = /(?:([+-]\d{2}):(\d{2})|Z)$/.exec(text)
  if (seconds === undefined) return undefined
  if (!zone || !(seconds >= 0)) throw new Unprocessable(`[dates.${field}]: expected a time like 2026-11-22T10:00:00Z`)
  return { seconds, zone: zone[1] === undefined ? '+0000' : `${zone[1]}${zone[2]}` }
}

function withSignoff(message: string, { name, email }: Ident): string {
  const line = `Signed-off-by: ${name} <${email}>`
  return message.includes(line) ? message : `${message}\n${line}\n`
}
