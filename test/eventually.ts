/** The one place where tests wait for time to pass: for a condition, with a limit that only a failure reaches. */

/** A machine that does ten other things is slow; a test that waits for what never comes should still say so. */
const LIMIT_MS = 60_000
const PAUSE_MS = 5

/** The true ones: tests put others in their place. */
const { sleep } = Bun
const now = performance.now.bind(performance)

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/**
 * Asks again and again until the answer is truthy, and returns that.
 * @param what for the message, where the source of `check` does not tell
 * @param options.pauseMs milliseconds between two checks: more where a check costs another program CPU time
 * @throws Error after a minute
 */
export async function eventually<T>(check: () => T | Promise<T>, what = String(check), { pauseMs = PAUSE_MS } = {}): Promise<Truthy<T>> {
  for (const end = now() + LIMIT_MS; ; await sleep(pauseMs)) {
    const value = await check()
    if (value) return value as Truthy<T>
    if (now() > end) throw new Error(`Waited ${LIMIT_MS / 1000} s in vain for ${what}`)
  }
}

/** Lets everything run that is ready to: timers that are due, messages and what files and sockets have brought. */
export async function turns(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) await sleep(0)
}
