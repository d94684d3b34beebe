import { Problem, Unprocessable } from '../kernel/errors.ts'
import type { Answer, Check, Job, ReadKey } from './job.ts'

interface Waiting {
  job: Job
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/** The library that it loads costs tens of megabytes. */
const IDLE_MS = 30_000
const MAX_WAITING = 64
/** Far more than any honest key or page of commits needs. */
const MAX_MS = 5000

/**
 * Reads keys and checks signatures in a thread of its own, which starts when first needed, ends when idle, and is ended when
 * a job takes too long.
 */
export class SignatureThread {
  #worker: Worker | undefined
  #timer: Timer | undefined
  readonly #queue: Waiting[] = []
  readonly #maxMs: number

  /** @param maxMs milliseconds after which a job is given up */
  constructor(maxMs = MAX_MS) {
    this.#maxMs = maxMs
  }

  /** @throws Unprocessable for a key that cannot be taken, and when it takes too long; Problem 503 when too many wait */
  async read(armored: string, now: number): Promise<ReadKey> {
    const answer = await this.#ask({ kind: 'read', armored, now })
    if ('refused' in answer) throw new Unprocessable(`Cannot use the GPG key: ${answer.refused}`)
    if ('key' in answer) return answer.key
    throw unexpected(answer)
  }

  /** Which of the signatures are good; the last of many may be missing, when the first took long. @throws Unprocessable when it takes too long; Problem 503 when too many wait */
  async check(checks: readonly Check[]): Promise<boolean[]> {
    const answer = await this.#ask({ kind: 'check', checks })
    if ('good' in answer) return answer.good
    throw unexpected(answer)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
  }

  #ask(job: Job): Promise<Answer> {
    if (this.#queue.length >= MAX_WAITING) return Promise.reject(new Problem(503, 'Cannot check signatures now: too many others wait'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, resolve, reject })
      if (this.#queue.length === 1) this.#next()
    })
  }

  /** Hands the first of the queue, which stays there until it is answered, to the thread. */
  #next(): void {
    clearTimeout(this.#timer)
    const first = this.#queue[0]
    if (first) {
      this.#worker ??= this.#start()
      this.#worker.postMessage(first.job)
    }
    this.#timer = first ? setTimeout(() => this.#giveUp(), this.#maxMs) : setTimeout(() => this.stop(), IDLE_MS)
    this.#timer.unref()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./signature-worker.ts', import.meta.url).href)
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#settle(data)
    worker.onerror = ({ message }) => {
      this.stop()
      this.#settle({ error: message })
    }
    worker.unref()
    return worker
  }

  #settle(answer: Answer): void {
    const first = this.#queue.shift()
    this.#next()
    first?.resolve(answer)
  }

  #giveUp(): void {
    this.stop()
    const first = this.#queue.shift()
    this.#next()
    first?.reject(new Unprocessable(`Cannot check the key or signature: it takes longer than ${this.#maxMs / 1000} seconds`))
  }
}

function unexpected(answer: Answer): Error {
  return new Error(`Cannot check a key or signature: ${'error' in answer ? answer.error : 'the thread answered something else'}`)
}
