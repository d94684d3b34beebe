import type { Context } from '#context.ts'
import { LruMap } from '#kernel/lru-map.ts'
import type { Viewer } from './viewer.ts'

/** How long a page may take to be asked for after its form, in milliseconds. */
const KEPT_MS = 60_000
/** Browsers whose next page says something; the oldest go first. */
const MAX_KEPT = 1000
const MAX_TEXT = 300

/** What a form has done, for the page that follows it. */
export interface Done {
  /** A sentence. What people named may be in it: it is shown as text. */
  text: string
  /** The form that takes it back: where it goes, as links of pages do, and what it sends. */
  undo?: { action: string; fields: Readonly<Record<string, string>> }
}

/**
 * What the next page of a browser says was done. It waits here for the session that did it, so no address and no cookie carries it, and
 * nobody but a form's own handler can make a page say anything. A restart forgets it.
 */
export class DoneNotes {
  readonly #clock: Context['clock']
  readonly #notes = new LruMap<string, { done: Done; until: number }>(MAX_KEPT)

  constructor({ clock }: Pick<Context, 'clock'>) {
    this.#clock = clock
  }

  /** Has the viewer's next page say it. Visitors are told nothing: they could not be told apart. */
  leave(viewer: Viewer, done: Done): void {
    const key = browserOf(viewer)
    if (key === undefined) return
    this.#notes.set(key, { done: { ...done, text: done.text.slice(0, MAX_TEXT) }, until: this.#clock.millis() + KEPT_MS })
  }

  /** Whether the next page is for this viewer alone, and for this once. */
  isLeftFor(viewer: Viewer): boolean {
    const key = browserOf(viewer)
    return key !== undefined && this.#notes.has(key)
  }

  /** What is to be said now; it is said once. */
  take(viewer: Viewer): Done | undefined {
    const key = browserOf(viewer)
    const note = key === undefined ? undefined : this.#notes.get(key)
    if (key === undefined || note === undefined) return undefined
    this.#notes.delete(key)
    return note.until > this.#clock.millis() ? note.done : undefined
  }
}

/** What tells the viewer's browser from others. A proxy that signs people in gives theirs no sessions. */
export function browserOf({ user, via, sessionId }: Viewer): string | undefined {
  if (sessionId !== undefined) return `session ${sessionId}`
  return via === 'proxy' && user ? `account ${user.id}` : undefined
}
