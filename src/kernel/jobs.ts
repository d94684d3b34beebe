import type { Log } from './log.ts'

/** Work that repeats in the background, one run of each at a time; a failed run is logged and tried at the next turn. */
export class Jobs {
  readonly #log: Log
  readonly #timers = new Set<Timer>()
  readonly #running = new Set<Promise<void>>()
  readonly #waiting = new Map<Timer, () => void>()
  #stopped = false

  constructor(log: Log) {
    this.#log = log
  }

  every(seconds: number, name: string, work: () => Promise<void> | void): void {
    let busy = false
    const timer = setInterval(() => {
      if (busy) return
      busy = true
      this.start(name, work).finally(() => {
        busy = false
      })
    }, seconds * 1000)
    timer.unref()
    this.#timers.add(timer)
  }

  /** Runs `work` once, after some milliseconds; `stop` forgets it. */
  later(milliseconds: number, name: string, work: () => Promise<void> | void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.start(name, work)
    }, milliseconds)
    timer.unref()
    this.#timers.add(timer)
  }

  /** Runs `work` once, after some milliseconds, or as soon as `stop` is called. */
  soon(milliseconds: number, name: string, work: () => Promise<void> | void): void {
    const run = () => {
      this.#waiting.delete(timer)
      void this.start(name, work)
    }
    const timer = setTimeout(run, milliseconds)
    this.#waiting.set(timer, run)
  }

  /** Runs `work` now; `stop` waits for it. */
  start(name: string, work: () => Promise<void> | void): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    const run = (async () => {
      try {
        await work()
      } catch (error) {
        this.#log.error(`background work "${name}" failed`, error)
      }
    })()
    this.#running.add(run)
    return run.finally(() => this.#running.delete(run))
  }

  /** No new runs; resolves when those under way are done. */
  async stop(): Promise<void> {
    for (const [timer, run] of this.#waiting) {
      clearTimeout(timer)
      run()
    }
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }
}
