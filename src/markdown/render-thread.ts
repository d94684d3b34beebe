import { Problem, Unprocessable } from '../kernel/errors.ts'
import type { Rendered, RenderJob } from './job.ts'

interface Waiting {
  job: RenderJob
  milliseconds: number
  resolve: (html: string) => void
  reject: (error: Error) => void
}

/** An idle thread costs memory; a new one starts in some ten milliseconds. */
const IDLE_MS = 30_000
const MAX_WAITING = 64
/** Far more than any honest text needs. */
const MAX_MS = 5000

/**
 * Renders in a thread of its own, which starts when first needed, ends when idle, and is ended when a text takes too long:
 * no expression in a library can hold up the server.
 */
export class RenderThread {
  #worker: Worker | undefined
  #timer: Timer | undefined
  readonly #queue: Waiting[] = []

  /** @throws Unprocessable when it takes longer than `milliseconds`; Problem 503 when too many wait */
  render(job: RenderJob, milliseconds = MAX_MS): Promise<string> {
    if (this.#queue.length >= MAX_WAITING) return Promise.reject(new Problem(503, 'Cannot render the text now: too many others wait'))
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
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url).href)
    worker.onmessage = ({ data }: MessageEvent<Rendered>) => this.#settle(data)
    worker.onerror = ({ message }) => {
      this.stop()
      this.#settle({ error: message })
    }
    worker.unref()
    return worker
  }

  #settle(answer: Rendered): void {
    const first = this.#queue.shift()
    this.#next()
    if ('html' in answer) first?.resolve(answer.html)
    else first?.reject(new Error(`Cannot render a text: ${answer.error}`))
  }

  #giveUp(milliseconds: number): void {
    this.stop()
    const first = this.#queue.shift()
    this.#next()
    first?.reject(new Unprocessable(`Cannot render the text: it takes longer than ${milliseconds / 1000} seconds`))
  }
}
