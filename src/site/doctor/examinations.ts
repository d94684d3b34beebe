import type { Context } from '#context.ts'
import { requireDescriptors } from '#kernel/descriptors.ts'
import type { Diagnosis } from './examine.ts'
import type { Tidings } from './examine-worker.ts'

/** Of one check, so many problems are kept to be shown. */
const MAX_PROBLEMS = 200

/** How an examination stands. Times are Unix seconds. */
export interface Examination {
  readonly began: number
  ended: number | undefined
  /** Of the checks that are done, in their order. */
  readonly diagnoses: (Diagnosis & { more: number })[]
  /** Why it could not be finished. */
  failure: string | undefined
}

/** Examines the store while the server runs, in a thread of its own: one at a time, and the last one is remembered. */
export class Examinations implements Disposable {
  readonly #context: Pick<Context, 'config' | 'clock' | 'log'>
  #worker: Worker | undefined
  #last: Examination | undefined

  constructor(context: Pick<Context, 'config' | 'clock' | 'log'>) {
    this.#context = context
  }

  /** The one under way, else the last one since the server was started. */
  get last(): Examination | undefined {
    return this.#last
  }

  /** Begins one, unless one is under way. */
  start(): void {
    if (this.#worker) return
    const examination: Examination = { began: this.#context.clock.seconds(), ended: undefined, diagnoses: [], failure: undefined }
    requireDescriptors()
    const worker = new Worker(new URL('./examine-worker.ts', import.meta.url).href)
    this.#last = examination
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<Tidings>) => {
      if ('diagnosis' in data) examination.diagnoses.push(shorten(data.diagnosis))
      else this.#end(worker, examination, 'error' in data ? data.error : undefined)
    }
    worker.onerror = ({ message }) => this.#end(worker, examination, message)
    worker.unref()
    worker.postMessage(this.#context.config)
  }

  [Symbol.dispose](): void {
    this.#worker?.terminate()
    this.#worker = undefined
  }

  #end(worker: Worker, examination: Examination, failure: string | undefined): void {
    if (worker !== this.#worker) return
    worker.terminate()
    this.#worker = undefined
    examination.ended = this.#context.clock.seconds()
    examination.failure = failure
    if (failure !== undefined) this.#context.log.error('store check failed', undefined, { reason: failure })
  }
}

function shorten(diagnosis: Diagnosis): Diagnosis & { more: number } {
  return { ...diagnosis, problems: diagnosis.problems.slice(0, MAX_PROBLEMS), more: Math.max(0, diagnosis.problems.length - MAX_PROBLEMS) }
}
