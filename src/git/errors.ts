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
  /[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}](?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Ideographic}\p{Script=Mongolian}].|[0-9#*]\ufe0f(?=\u20e3))|[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/u

/**
 * Invisible characters that shape the text around them: a joiner inside a word (Persian, Indic scripts) or behind a virama, a joiner between two
 * emoji, the tags of a regional flag. Sources: UAX #31, 2.3 "Layout and Format Control Characters"; UTS #51, 1.4.9 "emoji sequence".
 */
const shaping =
  /(?<=[\p{L}\p{M}\p{N}])\p{Join_Control}(?=[\p{L}\p{M}\p{N}])|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])\p{Join_Control}|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)\u200d(?=\p{Extended_Pictographic})|\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u

const shapingOrUnseen = new RegExp(`(${shaping.source})|${unseen.source}`, 'gu')

/** Text from outside made safe for a terminal: what it would obey or not show becomes `\u{…}`. */
export function visible(text: string): string {
  return text.replace(shapingOrUnseen, (c, kept?: string) => kept ?? `\\u{${c.codePointAt(0)?.toString(16)}}`)
}
