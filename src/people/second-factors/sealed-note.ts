import type { Context } from '#context.ts'
import { SecretLost } from '#kernel/secret-box.ts'

type NoteContext = Pick<Context, 'secrets' | 'clock'>

/** What a form brought back to us. */
export interface Note {
  text: string
  /** Unix seconds. */
  until: number
}

/**
 * Gives a text into the keeping of a form, which can neither read nor change it: nothing is stored for pages that are only looked at.
 * @param purpose for what, and for whom
 */
export function sealNote({ secrets, clock }: NoteContext, text: string, purpose: string, seconds: number): string {
  return secrets.seal(JSON.stringify({ text, until: clock.seconds() + seconds }), purpose)
}

/** Undefined when it is too old, or none of ours for this purpose. */
export function openNote({ secrets, clock }: NoteContext, sealed: string, purpose: string): Note | undefined {
  try {
    const note = JSON.parse(secrets.open(sealed, purpose) || '{}') as Partial<Note>
    return note.text !== undefined && note.until !== undefined && note.until > clock.seconds() ? { text: note.text, until: note.until } : undefined
  } catch (error) {
    if (error instanceof SecretLost) return undefined
    throw error
  }
}
