import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { sha256Hex } from '#kernel/ids.ts'
import { spendChallenge } from './key-store.ts'
import { type Note, openNote, sealNote } from './sealed-note.ts'

/** How long an authenticator may take to answer. */
const CHALLENGE_SECONDS = 300

/** What an authenticator is asked to sign, and how the form brings it back. */
export interface Challenge {
  /** 32 random bytes, base64url. */
  value: string
  sealed: string
}

/** What is asked for: by whom, in which session or sign-in. A challenge answers nothing else. */
export type Purpose = `add a key to account ${number} in session ${number}` | `second factor for ${string}` | 'sign in with a passkey'

/** Makes one; nothing is stored before it was answered. */
export function makeChallenge(context: Pick<Context, 'secrets' | 'clock'>, purpose: Purpose): Challenge {
  const value = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  return { value, sealed: sealNote(context, value, purpose, CHALLENGE_SECONDS) }
}

/** @throws Unprocessable when it was made for something else, or too long ago */
export function openChallenge(context: Pick<Context, 'secrets' | 'clock'>, sealed: string, purpose: Purpose): Note {
  const note = openNote(context, sealed, purpose)
  if (!note) throw new Unprocessable('The request has expired. Try again.')
  return note
}

/** Notes, in the transaction of what the answer brings about, that a challenge was answered. @throws Unprocessable when it was before */
export function answerOnce({ clock }: Pick<Context, 'clock'>, tx: Tx, { text, until }: Note): void {
  if (!spendChallenge(tx, sha256Hex(text), until, clock.seconds())) throw new Unprocessable('This response of the security key was already used. Try again.')
}
