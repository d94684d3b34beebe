/**
 * - `corrupt`: bytes that are not what git's formats say
 * - `absent`: what somebody asked for by a name or path, and what there is none of
 * - `missing`: an object that a ref or another object names, and that is not there
 * - `limit`: over a configured limit
 * - `protocol`: a client that does not speak as it should
 * - `refused`: well-formed, and against git's or our rules (a hostile tree, a stale ref update)
 */
export type GitErrorKind = 'absent' | 'corrupt' | 'missing' | 'limit' | 'protocol' | 'refused'

/** What the git library throws. Messages are plain text without control characters: pushers read them in a terminal. */
export class GitError extends Error {
  readonly kind: GitErrorKind

  constructor(kind: GitErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(visible(message), options)
    this.name = 'GitError'
    this.kind = kind
  }
}

/** Whether it is about a stored object that cannot be read, or that the store has lost: nothing that who asks for it has done. */
export function isLoss(error: unknown): boolean {
  return error instanceof GitError && (error.kind === 'corrupt' || error.kind === 'missing')
}

/**
 * What a terminal obeys or does not show: control characters but tab and line feed, and of Unicode's format characters those of zero width and
 * those that change the direction of writing (`Default_Ignorable_Code_Point` and `Bidi_Control`). Variation selectors are let be where there is a
 * shape to vary: behind emoji, the keys of a keypad, Han characters and Mongolian letters.
 */
const unseen =
  /[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}](?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Ideographic}\p{Script=Mongolian}].|[0-9#*]\ufe0f(?=\u20e3))|[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu

/** Text from outside made safe for a terminal: what it would obey or not show becomes `\u{…}`. */
export function visible(text: string): string {
  return text.replace(unseen, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`)
}
