/** The edge where time comes in; tests pass their own. */
export interface Clock {
  /** Unix time in whole seconds, as the database keeps it. */
  seconds(): number
  /** Unix time in milliseconds. */
  millis(): number
}

export const systemClock: Clock = {
  seconds: () => Math.floor(Date.now() / 1000),
  millis: () => Date.now(),
}

/** What Go writes for a time that nobody set. */
export const goZeroTime = '0001-01-01T00:00:00Z'

const DAY = 86_400
const MAX_DAYS = 10_000
/** `2026-11-20T` of days that were asked for: lists hold many times of few days. */
const days = new Map<number, string>()
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

/** RFC 3339 in UTC, as the API writes times; no time is 1970, as Gitea has it. */
export function rfc3339(seconds: number | null): string {
  if (seconds === null || seconds === 0) return '1970-01-01T00:00:00Z'
  const day = Math.floor(seconds / DAY)
  const rest = seconds - day * DAY
  return `${days.get(day) ?? dayText(day)}${twoDigits[Math.floor(rest / 3600)]}:${twoDigits[Math.floor(rest / 60) % 60]}:${twoDigits[rest % 60]}Z`
}

function dayText(day: number): string {
  if (days.size >= MAX_DAYS) days.clear()
  const text = new Date(day * DAY * 1000).toISOString().slice(0, 11)
  days.set(day, text)
  return text
}
