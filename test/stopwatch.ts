import { spyOn } from 'bun:test'
import { awake } from '#kernel/breathe.ts'

/** Has `performance.now` say what `now` does, until disposed of. What has worked by that time in this process begins anew by the true one. */
export function stopwatch(now: () => number): Disposable {
  const spy = spyOn(performance, 'now').mockImplementation(now)
  return {
    [Symbol.dispose]() {
      spy.mockRestore()
      awake()
    },
  }
}

/** Has `performance.now` stand still an hour from now, until disposed of: no limit and no pause of the product is longer. */
export function anHourLater(): Disposable {
  const later = performance.now() + 3_600_000
  return stopwatch(() => later)
}

/** Has `performance.now` stand still until it is moved, until disposed of. */
export function manualStopwatch(): Disposable & { advance(milliseconds: number): void } {
  let now = performance.now()
  const watch = stopwatch(() => now)
  return {
    advance(milliseconds) {
      now += milliseconds
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  }
}
