import { Problem, Unprocessable } from './errors.ts'

interface Waiting<Job, Answer> {
  job: Job
  milliseconds: number
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/** What the worker answers when it failed. */
export interface JobFailure {
  error: string
}

/** An idle thread costs memory, a library's more than a little; a new one starts in some ten milliseconds. */
const IDLE_MS = 30_000
const MAX_WAITING = 64
/** Far more than any honest job needs. */
const MAX_MS = 5000

/**
 * A thread of its own for work on what strangers bring: it starts when first needed, ends when idle, and is ended when a job
 * takes too long, so that no expression in a library can hold up the server. One job at a time, each answered in turn.
 */
export class JobThread<Job, Answer extends object> {
  readonly #task: string
  readonly #open: () => Worker
  #worker: Worker | undefined
  #timer: Timer | undefined
  readonly #queue: Waiting<Job, Answer>[] = []

  /**
   * @param task for messages, after "Cannot": `render the text`
   * @param open makes the worker, which answers each `Job` with an `Answer` or a `JobFailure`
   */
  constructor(task: string, open: () => Worker) {
    this.#task = task
    this.#open = open
  }

  /** @throws Unprocessable when it takes longer than `milliseconds`; Problem 503 when too many wait; Error when the worker fails */
  run(job: Job, milliseconds = MAX_MS): Promise<Answer> {
    if (this.#queue.length >= MAX_WAITING) return Promise.reject(new Problem(503, `Cannot ${this.#task} now: too many others wait`))
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, milliseconds, resolve, reject })
      if (this.#queue.length === 1) this.#next()
    })
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
  }

  /** Hands the first of the queue, which stays there until it is answered, to the thread. */
  #next(): void {
    clearTimeout(this.#timer)
    const first = this.#queue[0]
    if (first) {
      this.#worker ??= this.#start()
      this.#worker.postMessage(first.job)
    }
    this.#timer = first ? setTimeout(() => this.#giveUp(first.milliseconds), first.milliseconds) : setTimeout(() => this.stop(), IDLE_MS)
    this.#timer.unref()
  }

  #start(): Worker {
    const worker = this.#open()
    worker.onmessage = ({ data }: MessageEvent<Answer | JobFailure>) => this.#settle(data)
    worker.onerror = ({ message }) => {
      this.stop()
      this.#settle({ error: message })
    }
    worker.unref()
    return worker
  }

  #settle(answer: Answer | JobFailure): void {
    const first = this.#queue.shift()
    this.#next()
    if ('error' in answer) first?.reject(new Error(`Cannot ${this.#task}: ${answer.error}`))
    else first?.resolve(answer)
  }

  #giveUp(milliseconds: number): void {
    this.stop()
    const first = this.#queue.shift()
    this.#next()
    first?.reject(new Unprocessable(`Cannot ${this.#task}: it takes longer than ${milliseconds / 1000} seconds`))
  }
}
