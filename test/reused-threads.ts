/**
 * Threads that tests use again. The product starts one when it first needs it and ends it with the context it belongs to; hundreds of tests
 * would each pay for that, and for code that no compiler has seen yet. A thread that is idle when it is ended waits here for whoever
 * starts the next one of its kind.
 */

/** What these keep between jobs they know by its path, and no two tests share one. */
const REUSABLE =
  /\/(git\/workers\/worker|checkpoint-worker|long-reads-worker|body-worker|text-worker|render-worker|signature-worker|owners-worker|templates-worker)\.ts$/
/** As many as a context has at a time. */
const MAX_IDLE = 4

const ThreadOfItsOwn = globalThis.Worker
const idle = new Map<string, Worker[]>()

/** What a thread says before its first job. */
const READY = 'ready'

/** The git engine's thread has many calls at a time, each with an id; the others have one job at a time, each answered by one message. */
const GIT = /\/git\/workers\/worker\.ts$/

interface GitMessage {
  id: number
  kind: string
}

const BEGINS = new Set(['run', 'shard', 'stream'])
const ENDS = new Set(['done', 'failed'])

function isGitMessage(message: unknown): message is GitMessage {
  return message instanceof Object && 'kind' in message
}

class ReusedWorker extends EventTarget {
  readonly #url: string
  readonly #worker: Worker
  readonly #calls = new Set<number>()
  #jobs = 0
  /** Whether it has said so; the git engine's need not. */
  #isReady: boolean
  #isBroken = false
  #isOver = false
  onmessage: ((event: MessageEvent) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null

  constructor(url: string) {
    super()
    this.#url = url
    const kept = idle.get(url)?.pop()
    this.#isReady = kept !== undefined || GIT.test(url)
    this.#worker = kept ?? new ThreadOfItsOwn(url)
    this.#worker.onmessage = (event) => this.#hear(event)
    this.#worker.onerror = (event) => {
      this.#isBroken = true
      this.onerror?.(event)
    }
    if (kept && !GIT.test(url)) queueMicrotask(() => this.#hear(new MessageEvent('message', { data: READY })))
  }

  postMessage(message: unknown, transfer: Bun.Transferable[] = []): void {
    if (this.#isOver) return
    if (!GIT.test(this.#url) || !isGitMessage(message)) this.#jobs++
    else if (BEGINS.has(message.kind)) this.#calls.add(message.id)
    this.#worker.postMessage(message, transfer)
  }

  terminate(): void {
    if (this.#isOver) return
    this.#isOver = true
    queueMicrotask(() => this.dispatchEvent(new Event('close')))
    const waiting = idle.getOrInsert(this.#url, [])
    const isIdle = this.#isReady && !this.#isBroken && this.#calls.size === 0 && this.#jobs === 0
    if (!isIdle || waiting.length >= MAX_IDLE) return this.#worker.terminate()
    this.#worker.onmessage = null
    this.#worker.onerror = null
    this.#worker.unref()
    waiting.push(this.#worker)
  }

  ref(): void {
    this.#worker.ref()
  }

  unref(): void {
    this.#worker.unref()
  }

  #hear(event: MessageEvent): void {
    if (event.data === READY) this.#isReady = true
    else if (!GIT.test(this.#url)) this.#jobs--
    else if (ENDS.has((event.data as GitMessage).kind)) this.#calls.delete((event.data as GitMessage).id)
    if (!this.#isOver) this.onmessage?.(event)
  }
}

globalThis.Worker = new Proxy(ThreadOfItsOwn, {
  construct: (_, [url, options]: [string, WorkerOptions?]) =>
    REUSABLE.test(String(url)) ? (new ReusedWorker(String(url)) as unknown as Worker) : new ThreadOfItsOwn(url, options),
})
