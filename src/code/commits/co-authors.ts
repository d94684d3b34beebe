import type { Commit } from '#git/objects/commit.ts'
import type { Ident } from '#git/objects/ident.ts'

/** As many are named; a commit of more lists them in its message. */
const MOST = 20
/** Names that the trailers of a message are looked for in, from its end. */
const MAX_TRAILER_CHARS = 16_384
/** The spaces around a name are part of it here: those of anybody's message are gone over once. */
const trailer = /^co-authored-by:([^<\n]{0,300})<([^<>\s]{1,255})>[ \t]*$/gim

/** Who wrote a commit beside its author. */
export type CoAuthor = Pick<Ident, 'name' | 'email'>

/** Those whom the trailers `Co-authored-by: Name <address>` of the message's last paragraph name, the author and doubles left out. */
export function coAuthorsOf({ message, author }: Pick<Commit, 'message' | 'author'>): CoAuthor[] {
  const end = message.slice(-MAX_TRAILER_CHARS).trimEnd()
  const start = end.lastIndexOf('\n\n')
  if (start < 0) return []
  const found = new Map<string, CoAuthor>()
  for (const [, spaced = '', email = ''] of end.slice(start).matchAll(trailer)) {
    const key = email.toLowerCase()
    if (key !== author.email.toLowerCase() && !found.has(key)) found.set(key, { name: spaced.trim() || email, email })
    if (found.size === MOST) break
  }
  return [...found.values()]
}
