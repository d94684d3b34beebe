import type { Clock } from '#kernel/clock.ts'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  advance(seconds: number): void
}

/** @param seconds Unix time at which it begins */
export function manualClock(seconds = 1_700_000_000): ManualClock {
  let now = seconds
  return {
    seconds: () => Math.floor(now),
    millis: () => Math.round(now * 1000),
    advance(more) {
      now += more
    },
  }
}
