/**
 * - `corrupt`: bytes that are not what git's formats say
 * - `missing`: an object or ref that is not there
 * - `limit`: over a configured limit
 * - `protocol`: a client that does not speak as it should
 * - `refused`: well-formed, and against git's or our rules (a hostile tree, a stale ref update)
 */
export type GitErrorKind = 'corrupt' | 'missing' | 'limit' | 'protocol' | 'refused'

/** What the git library throws. Messages are plain text without control characters: pushers read them in a terminal. */
export class GitError extends Error {
  readonly kind: GitErrorKind

  constructor(kind: GitErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(visible(message), options)
    this.name = 'GitError'
    this.kind = kind
  }
}

/** Text from outside made safe for a terminal: control and bidirectional-override characters become `\u{…}`. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`)
}
