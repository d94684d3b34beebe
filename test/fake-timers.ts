import { jest } from 'bun:test'
import { awake } from '#kernel/breathe.ts'

/** Timers, `Bun.sleep` and `performance.now` that stand still until a test moves them. */
export interface FakeTimers extends Disposable {
  /** Moves the time by milliseconds, step by step: what is due acts, and so does what follows from it, before the next step. */
  advance(milliseconds: number): Promise<void>
}

const STEP_MS = 1

/** `eventually` and `turns` wait by timers: use `settled` in their place until this is disposed of. */
export function fakeTimers(): FakeTimers {
  jest.useFakeTimers()
  // The slice of time that has begun is measured by the true clock.
  awake()
  return {
    async advance(milliseconds) {
      for (let left = milliseconds; left > 0; left -= STEP_MS) {
        jest.advanceTimersByTime(Math.min(left, STEP_MS))
        await nextTurn()
      }
      await settled()
    },
    [Symbol.dispose]() {
      jest.useRealTimers()
      awake()
    },
  }
}

/** Lets everything go on that waits for promises alone, whether timers are true ones or not. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn()
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
