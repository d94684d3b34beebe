import { requireDescriptors } from './descriptors.ts'
import { Problem, Unprocessable } from './errors.ts'

/** How a job is to be done. */
export interface JobTerms {
  /** Who or what it is for: all lines of waiting jobs get the same share of the thread's time. */
  line?: string
  /** From when the thread has it. */
  milliseconds?: number
  /** Of who asked: a job that nobody waits for any more is not begun. */
  signal?: AbortSignal
  /** What of the job the thread takes over in place of a copy. */
  transfer?: ArrayBuffer[]
}

interface Waiting<Job, Answer> {
  job: Job
  milliseconds: number
  transfer: ArrayBuffer[]
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

interface Line<Job, Answer> {
  name: string
  jobs: Waiting<Job, Answer>[]
  /** The thread's time that it had; a new one begins with what the line served last had, so that nobody catches up by coming late. */
  used: number
}

/** What the worker answers when it failed. */
export interface JobFailure {
  error: string
  /** Whether it is the job's own doing, for whoever gave it to read. */
  isRefusal?: boolean
}

/** What the worker says first, once it has loaded what it needs: only from then on does time count against a job. */
export const READY = 'ready'

/** An idle thread costs memory, a library's more than a little; a new one starts in some hundred milliseconds. */
const IDLE_MS = 30_000
const START_MS = 10_000
const MAX_IN_LINE = 32
/** Far more than any honest job needs. */
const MAX_MS = 5000

/**
 * A thread of its own for work on what strangers bring: it starts when first needed, ends when idle, and is ended when a job
 * takes too long, so that no expression in a library can hold up the server. One job at a time, from the line that had least so far.
 */
export class JobThread<Job, Answer extends object> {
  readonly #task: string
  readonly #open: () => Worker
  #worker: Worker | undefined
  #isReady = false
  #timer: Timer | undefined
  /** None of them is empty; the first job of the one being served is under way. */
  readonly #lines = new Map<string, Line<Job, Answer>>()
  #served: Line<Job, Answer> | undefined
  #began = 0
  #reached = 0

  /**
   * @param task for messages, after "Cannot": `render the text`
   * @param open makes the worker, which says `READY`, then answers each `Job` with an `Answer` or a `JobFailure`
   */
  constructor(task: string, open: () => Worker) {
    this.#task = task
    this.#open = open
  }

  /**
   * @throws Unprocessable when it takes longer than `milliseconds`, or the worker refuses it; Problem 503 when too many wait in its line, 499 when whoever
   * asked left before it was begun; Error when the worker fails, or cannot be started
   */
  run(job: Job, { line: name = '', milliseconds = MAX_MS, signal, transfer = [] }: JobTerms = {}): Promise<Answer> {
    const line = this.#lines.get(name) ?? { name, jobs: [], used: this.#reached }
    if (line.jobs.length >= MAX_IN_LINE) return Promise.reject(new Problem(503, `Cannot ${this.#task}: the server is busy. Try again later`))
    return new Promise((resolve, reject) => {
      if (!this.#worker) requireDescriptors()
      const waiting = { job, milliseconds, transfer, resolve, reject }
      line.jobs.push(waiting)
      this.#lines.set(name, line)
      if (this.#served === undefined) this.#next()
      const leave = () => this.#leave(line, waiting)
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true })
    })
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#isReady = false
  }

  /** Hands the first job of the line that had least, where it stays until it is answered, to the thread. */
  #next(): void {
    clearTimeout(this.#timer)
    let least: Line<Job, Answer> | undefined
    for (const line of this.#lines.values()) if (least === undefined || line.used < least.used) least = line
    this.#served = least
    if (least === undefined) return this.#after(IDLE_MS, () => this.stop())
    this.#reached = least.used
    this.#worker ??= this.#start()
    if (this.#isReady) this.#send(this.#worker, first(least))
  }

  #send(worker: Worker, { job, milliseconds, transfer }: Waiting<Job, Answer>): void {
    this.#began = performance.now()
    worker.postMessage(job, transfer)
    this.#after(milliseconds, () => this.#giveUp(milliseconds))
  }

  #after(milliseconds: number, action: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(action, milliseconds)
    this.#timer.unref()
  }

  #start(): Worker {
    const worker = this.#open()
    this.#after(START_MS, () => this.#giveUp(START_MS))
    worker.onmessage = ({ data }: MessageEvent<typeof READY | Answer | JobFailure>) => {
      if (worker !== this.#worker) return
      if (data !== READY) return this.#settle(data)
      this.#isReady = true
      if (this.#served) this.#send(worker, first(this.#served))
    }
    worker.onerror = ({ message }) => {
      this.stop()
      this.#settle({ error: message })
    }
    worker.unref()
    return worker
  }

  #settle(answer: Answer | JobFailure): void {
    const done = this.#finish()
    if ('error' in answer) done?.reject(new (answer.isRefusal ? Unprocessable : Error)(`Cannot ${this.#task}: ${answer.error}`))
    else done?.resolve(answer)
  }

  #giveUp(milliseconds: number): void {
    this.stop()
    this.#finish()?.reject(new Unprocessable(`Cannot ${this.#task}: it takes longer than ${milliseconds / 1000} seconds`))
  }

  /** Goes on with the next job; answers the one that was under way. */
  #finish(): Waiting<Job, Answer> | undefined {
    const line = this.#served
    const done = line?.jobs.shift()
    if (line) line.used += performance.now() - this.#began
    if (line?.jobs.length === 0) this.#lines.delete(line.name)
    this.#next()
    return done
  }

  /** Unless it is under way, or done. */
  #leave(line: Line<Job, Answer>, waiting: Waiting<Job, Answer>): void {
    const at = line.jobs.indexOf(waiting)
    if (at < (line === this.#served ? 1 : 0)) return
    line.jobs.splice(at, 1)
    if (line.jobs.length === 0) this.#lines.delete(line.name)
    waiting.reject(new Problem(499, `Cannot ${this.#task}: the client disconnected`))
  }
}

/** A line without jobs is taken away at once. */
function first<Job, Answer>({ jobs }: Line<Job, Answer>): Waiting<Job, Answer> {
  return jobs[0] as Waiting<Job, Answer>
}
