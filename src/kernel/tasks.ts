import { inAnyCase } from './askers.ts'
import { type Clock, systemClock } from './clock.ts'
import type { DiskWatch } from './disk-trouble.ts'
import { Busy } from './errors.ts'
import type { Log } from './log.ts'

/** So often, and so long after one another, work is tried that meets another process' write. */
const BUSY_TRIES = 60
const BUSY_MS = 250

type Work = () => Promise<void> | void

/** Work that repeats, as administrators see it. Times are Unix seconds. */
export interface PeriodicTask {
  readonly name: string
  /** `@every 10m`, as cron libraries write it; empty for what only runs when it is asked to. */
  readonly schedule: string
  /** Null: never by itself. */
  readonly next: number | null
  /** When it was last started; null: not since this process was. */
  readonly prev: number | null
  /** How often it was started since this process was. */
  readonly runs: number
}

interface Task extends PeriodicTask {
  next: number | null
  prev: number | null
  runs: number
  isRunning: boolean
  work: Work
  timer: Timer | undefined
}

/** Work that repeats in the background, one run of each at a time; a failed run is logged and tried at the next turn. */
export class Tasks {
  readonly #log: Log
  readonly #clock: Clock
  readonly #disk: DiskWatch | undefined
  readonly #tasks = new Map<string, Task>()
  readonly #timers = new Set<Timer>()
  readonly #running = new Set<Promise<void>>()
  readonly #waiting = new Map<Timer, () => void>()
  readonly #abandoned = Promise.withResolvers<void>()
  #stopped = false

  constructor(log: Log, clock: Clock = systemClock, disk?: DiskWatch) {
    this.#log = log
    this.#clock = clock
    this.#disk = disk
  }

  /** Whether `stop` was called: long work looks now and then, and leaves the rest to the next start. */
  get isStopping(): boolean {
    return this.#stopped
  }

  /** Runs `work` again and again; with 0 seconds only when `runTask` is called. One name is one task: the last one given. */
  every(seconds: number, name: string, work: Work): void {
    const next = () => (seconds === 0 ? null : this.#clock.seconds() + seconds)
    const task: Task = { name, schedule: scheduleOf(seconds), next: next(), prev: null, runs: 0, isRunning: false, work, timer: undefined }
    this.#forget(this.#tasks.get(name))
    this.#tasks.set(name, task)
    if (seconds === 0) return
    const timer = setInterval(() => {
      task.next = next()
      this.#run(task)
    }, seconds * 1000)
    timer.unref()
    task.timer = timer
    this.#timers.add(timer)
  }

  #forget(task: Task | undefined): void {
    if (task?.timer === undefined) return
    clearInterval(task.timer)
    this.#timers.delete(task.timer)
  }

  /** What `every` was told to repeat, by name. */
  listTasks(): PeriodicTask[] {
    return [...this.#tasks.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Starts a task now, unless it is under way; its turn comes as it would have. @returns false when no task has this name */
  runTask(name: string): boolean {
    const task = this.#tasks.get(name)
    if (task) this.#run(task)
    return task !== undefined
  }

  /**
   * A signal that starts a task of `every` once it has not been given for `quiet` milliseconds, or `longest` after it was given first.
   * One that is under way then is started once more when it is over.
   */
  afterQuiet(quiet: number, longest: number, name: string): () => void {
    let [first, last, isWaiting] = [0, 0, false]
    const look = () => {
      const now = performance.now()
      const left = this.#tasks.get(name)?.isRunning ? quiet : Math.min(last + quiet, first + longest) - now
      if (left > 1) return this.#after(left, look)
      isWaiting = false
      this.runTask(name)
    }
    return () => {
      last = performance.now()
      if (isWaiting || this.#stopped) return
      isWaiting = true
      first = last
      this.#after(quiet, look)
    }
  }

  #run(task: Task): void {
    if (task.isRunning || this.#stopped) return
    task.isRunning = true
    task.prev = this.#clock.seconds()
    task.runs++
    this.start(task.name, task.work).finally(() => {
      task.isRunning = false
    })
  }

  /** Runs `work` once, after some milliseconds; `stop` forgets it. */
  later(milliseconds: number, name: string, work: Work): void {
    this.#after(milliseconds, () => void this.start(name, work))
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, milliseconds)
    timer.unref()
    this.#timers.add(timer)
  }

  /** Runs `work` once, after some milliseconds, or as soon as `stop` is called. */
  soon(milliseconds: number, name: string, work: Work): void {
    const run = () => {
      this.#waiting.delete(timer)
      void this.start(name, work)
    }
    const timer = setTimeout(run, milliseconds)
    this.#waiting.set(timer, run)
  }

  /** Runs `work` now; `stop` waits for it. */
  start(name: string, work: Work): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    const run = (async () => {
      try {
        await inAnyCase(() => this.#persist(work))
      } catch (error) {
        this.#disk?.report(error)
        this.#log.error(`background task "${name}" failed`, error)
      }
    })()
    this.#running.add(run)
    return run.finally(() => this.#running.delete(run))
  }

  /** Work that meets another process' write begins again a little later: whatever a crash may interrupt can be begun again. */
  async #persist(work: Work): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Busy) || tries === BUSY_TRIES) throw error
        await Bun.sleep(BUSY_MS)
      }
    }
  }

  /** No new runs; resolves when those under way are done, or abandoned. */
  async stop(): Promise<void> {
    for (const [timer, run] of this.#waiting) {
      clearTimeout(timer)
      run()
    }
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.race([Promise.all(this.#running), this.#abandoned.promise])
  }

  /** Nobody waits any longer for what is under way when the server stops: it is as after a crash, and for the next start. */
  abandon(): void {
    this.#abandoned.resolve()
  }
}

function scheduleOf(seconds: number): string {
  if (seconds === 0) return ''
  if (seconds % 3600 === 0) return `@every ${seconds / 3600}h`
  return seconds % 60 === 0 ? `@every ${seconds / 60}m` : `@every ${seconds}s`
}
