import { storage, viewer } from './page.ts'

/** What is kept of a field. */
export interface Draft {
  text: string
  /** What was in the field before anything was typed. */
  before: string
  /** Fields by which the server tells that somebody else has changed the text since, as they were then. */
  versions: Record<string, string>
  /** Milliseconds since 1970. */
  at: number
}

const PREFIX = 'pf:draft:'
const MAX_CHARACTERS = 300_000
const MAX_DRAFTS = 60
const MAX_AGE = 30 * 86_400_000

const own = `${PREFIX}${viewer}:`

export function readDraft(key: string): Draft | undefined {
  try {
    return JSON.parse(storage()?.getItem(own + key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** @returns whether it is kept: a text can be too long, and the browser's room used up */
export function keepDraft(key: string, draft: Draft): boolean {
  const kept = storage()
  if (!kept || draft.text.length > MAX_CHARACTERS) return false
  const text = JSON.stringify(draft)
  try {
    kept.setItem(own + key, text)
  } catch {
    prune(Math.floor(MAX_DRAFTS / 4))
    try {
      kept.setItem(own + key, text)
    } catch {
      return false
    }
  }
  return true
}

export function dropDraft(key: string): void {
  storage()?.removeItem(own + key)
}

/** Tells of what another tab of the browser drops. */
export function onForgotten(forget: (key: string) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (newValue === null && key?.startsWith(own)) forget(key.slice(own.length))
  })
}

/** Whoever signs out leaves none of their words to the next person at the machine. */
export function dropOwn(): void {
  for (const key of keysIn(own)) storage()?.removeItem(key)
}

/** Forgets the oldest, of whomever, so that `most` are left, and all that nobody came back to. */
export function prune(most = MAX_DRAFTS): void {
  const kept = storage()
  const dated = keysIn(PREFIX).map((key) => ({ key, at: timeOf(kept?.getItem(key)) }))
  dated.sort((a, b) => b.at - a.at)
  const limit = Date.now() - MAX_AGE
  for (const [i, { key, at }] of dated.entries()) if (i >= most || at < limit) kept?.removeItem(key)
}

function timeOf(text: string | null | undefined): number {
  try {
    return Number((JSON.parse(text ?? '') as Draft).at) || 0
  } catch {
    return 0
  }
}

function keysIn(prefix: string): string[] {
  return Object.keys(storage() ?? {}).filter((key) => key.startsWith(prefix))
}
