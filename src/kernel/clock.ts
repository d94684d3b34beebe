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

/** RFC 3339 in UTC, as the API writes times; no time is Go's zero time. */
export function rfc3339(seconds: number | null): string {
  return seconds === null || seconds === 0 ? '0001-01-01T00:00:00Z' : `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
