import { currentAsker } from '#kernel/askers.ts'
import { requireDescriptors } from '#kernel/descriptors.ts'
import { ClientGone, Problem } from '#kernel/errors.ts'
import { currentSenders, mainTurns } from '#kernel/turns.ts'
import { ByteQueue, Credit } from '../byte-queue.ts'
import type { GitError } from '../errors.ts'
import { type CarriedError, carry, revive } from './carried-error.ts'
import { DeferredWork } from './deferred-work.ts'
import { LargeTransfers, type Transfer } from './large-transfers.ts'
import { MemoryTurns } from './memory-turns.ts'
import { ANSWER_WINDOW_BYTES, type FromWorker, owned, type ToWorker, WINDOW_BYTES } from './messages.ts'
import type { RepoPlace } from './open-repos.ts'
import { type Reader, ReadingLine } from './reading-line.ts'
import type { StreamInput, StreamName, StreamOutput } from './stream-tasks.ts'
import { MEMORY_BYTES, mayHold, memoryOf, shardKinds, streamKinds, type TaskKind, taskKinds } from './task-kinds.ts'
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts'

/** A streaming call as its caller on the main thread sees it. */
export interface StreamCall<Output> {
  /** Sends bytes to the task; resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  end(): void
  /** What the task sends; must be read, or the task waits. A piece is its reader's until the next is asked for. */
  readonly outgoing: AsyncIterable<Uint8Array>
  readonly result: Promise<Output>
  /** Ends it. @param why what `result` then fails with, where it is not that the client is gone */
  abort(why?: GitError): void
}

/** What a call means for others on its thread. */
type Burden = Pick<TaskKind, 'isBrief' | 'isHolding'>

interface Terms extends Burden {
  /** See `TaskKind`. */
  isBackground?: boolean
  /** See `memoryOf`. */
  memory?: number
  /** Ends the call. */
  signal?: AbortSignal | undefined
}

interface Pending extends Burden {
  /** Who takes a turn of the main thread with its answer: see `Turns`. */
  from: readonly string[]
  resolve: (output: never) => void
  reject: (error: Error) => void
  outgoing?: ByteQueue
  /** Buffers that the task and this thread both see, in the order in which it has announced them. */
  shared?: Uint8Array[]
  credit?: Credit
  transfer?: Transfer
  /** Who takes a turn with the memory that it asks for: see `MemoryTurns`. */
  sender?: string | undefined
  /** Tells the task that it has the memory which it asked for. */
  onGranted?: () => void
  /** Tells it that others wait for that. */
  onAwaited?: () => void
  onNotice?: (notice: never) => void
}

interface Thread {
  worker: Worker
  pending: Map<number, Pending>
  idleTimer: Timer | undefined
  /** Whether it ever did anything but background work: else it ends soon after it has nothing to do. */
  isAwaited: boolean
  /** Whether a large pack went through it, which leaves tens of megabytes behind. */
  wasLarge: boolean
}

/** What a task is given, or what makes it. */
export type LateInput<K extends TaskName> = TaskInput<K> | (() => Promise<TaskInput<K>>)

/** An idle thread costs memory; a new one starts in some ten milliseconds. */
const IDLE_MS = 60_000
/** The same after a large pack: others that come soon find it warm, and what has waited until no large pack is on its way finds its memory given back. */
const LARGE_IDLE_MS = 8000
/** The same for a thread that did background work alone, after a push or a start: nobody is about to use what it has read and compiled. */
const UNAWAITED_IDLE_MS = 250
/** The part of the budget that pushes leave for reading tasks, even with very large delta bases: enough for one blame. */
const LEFT_BYTES = 96 * 1024 * 1024
/** How long a request waits for memory before it gets 503. */
const WAIT_MS = 20_000
const OVERLOADED = 'The server is processing too many requests of this kind. Try again later.'
/** A call that may hold its thread counts for so many others where a thread is looked for. */
const HOLDING_LOAD = 8

/** What background work fails with that the server leaves to its next start, because it stops. */
export class Stopping extends Error {
  constructor() {
    super('The server is stopping')
  }
}

/** Threads that do git's heavy work. They start when first needed; each call goes to the least busy one. */
export class WorkerPool {
  readonly #size: number
  readonly #onFailure: (error: Error) => void
  readonly #threads: Thread[] = []
  #nextId = 1
  readonly #transfers = new LargeTransfers()
  readonly #deferred = new DeferredWork(this.#transfers)
  readonly #stopping = new AbortController()
  /** For calls that need much memory; they are known by their entries in `pending`. */
  readonly #memory: MemoryTurns<Pick<Pending, 'onAwaited' | 'onGranted'>>
  readonly #reading: ReadingLine
  readonly #mostForPush: number

  /**
   * @param onFailure hears why a call failed, whatever its caller makes of that
   * @param memoryBytes what all calls together may reserve
   */
  constructor(size: number, onFailure: (error: Error) => void = () => {}, memoryBytes = MEMORY_BYTES) {
    this.#size = size
    this.#onFailure = onFailure
    this.#memory = new MemoryTurns(
      memoryBytes,
      (pending) => pending.onGranted?.(),
      (pending) => pending.onAwaited?.(),
    )
    this.#reading = new ReadingLine(this.#memory)
    this.#mostForPush = Math.max(memoryBytes / 2 + 1, memoryBytes - LEFT_BYTES)
  }

  /**
   * @param input or what makes it once the task's turn has come: refs may move until then
   * @param isBrief whether it is over in a moment, which its caller may know of work that can be long
   * @throws ClientGone where nobody waits for it any longer, of what only reads
   * @throws Problem 503 where a request has waited too long for memory
   * @throws Stopping where it is left to the next start
   */
  async run<K extends TaskName>(task: K, repo: RepoPlace, input: LateInput<K>, isBrief?: boolean): Promise<TaskOutput<K>> {
    const { isDeferred } = taskKinds[task]
    const now = async (): Promise<TaskOutput<K>> =>
      this.#runNow(task, repo, typeof input === 'function' ? await (input as () => Promise<TaskInput<K>>)() : input, isBrief)
    return isDeferred ? this.#deferred.run(now) : now()
  }

  #runNow<K extends TaskName>(task: K, repo: RepoPlace, input: TaskInput<K>, isBrief: boolean | undefined): Promise<TaskOutput<K>> {
    const kind = taskKinds[task]
    const isHolding = mayHold(kind, input)
    const signal = kind.isLeftOff ? this.#stopping.signal : kind.isReading ? currentAsker()?.signal : undefined
    const terms = { isBackground: kind.isBackground, isBrief: isBrief ?? kind.isBrief, isHolding, memory: memoryOf(kind, input), signal }
    return this.#call((id) => ({ kind: 'run', id, task, repo, input, isLong: isHolding }), terms) as Promise<TaskOutput<K>>
  }

  /** @param sender on whose behalf: those of each take turns where there is not memory for all */
  stream<K extends StreamName>(
    task: K,
    repo: RepoPlace,
    input: StreamInput<K>,
    onNotice?: (notice: never) => void,
    sender?: string,
  ): StreamCall<StreamOutput<K>> {
    const isHolding = mayHold(streamKinds[task], input)
    const memory = memoryOf(streamKinds[task], input)
    const id = this.#nextId++
    let thread: Thread | undefined
    const post = (message: ToWorker, transfer: ArrayBuffer[] = []) => thread?.worker.postMessage(message, transfer)
    const outgoing = new ByteQueue(ANSWER_WINDOW_BYTES, (count) => post({ kind: 'taken', id, count }))
    const credit = new Credit(WINDOW_BYTES)
    const transfer = this.#transfers.begin()
    const { promise: result, resolve, reject } = Promise.withResolvers<StreamOutput<K>>()
    result.catch(() => {})
    const pending: Pending = {
      isHolding,
      from: currentSenders(),
      resolve,
      reject,
      outgoing,
      credit,
      transfer,
      onNotice,
      sender,
      onGranted: () => post({ kind: 'granted', id }),
      onAwaited: () => post({ kind: 'awaited', id }),
    }
    const begin = () => {
      thread = this.#pickFor(pending)
      thread.isAwaited = true
      thread.pending.set(id, pending)
      post({ kind: 'stream', id, task, repo, input })
    }
    const leaving = new AbortController()
    const waiting = this.#reserve(pending, memory, leaving.signal)
    if (waiting) void waiting.then(begin).catch((error) => fail(pending, error))
    else begin()
    return {
      outgoing,
      result,
      async write(bytes) {
        await credit.take(bytes.length)
        transfer.move(bytes.length)
        const own = owned(bytes)
        post({ kind: 'bytes', id, bytes: own }, [own.buffer])
      },
      end: () => post({ kind: 'end', id }),
      abort: (why) => {
        credit.give(Number.MAX_SAFE_INTEGER)
        leaving.abort(why ?? new ClientGone())
        post({ kind: 'abort', id, ...(why ? { error: carry(why) } : {}) })
      },
    }
  }

  /** Call when the server is about to stop: ends what the next start does as well, and lets other deferred work begin at once. */
  hasten(): void {
    this.#stopping.abort(new Stopping())
    this.#transfers.stop()
  }

  /** Makes every thread close its files of a repository. */
  forget(path: string): void {
    for (const { worker } of this.#threads) worker.postMessage({ kind: 'forget', path } satisfies ToWorker)
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Stopping())
    for (const thread of [...this.#threads]) this.#stop(thread, new Stopping())
  }

  async #call(message: (id: number) => ToWorker, { isBackground = false, memory = 0, signal, ...burden }: Terms): Promise<unknown> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const pending: Pending = { ...burden, from: currentSenders(), resolve, reject }
    const waiting = this.#reserve(pending, memory, signal)
    if (waiting) await waiting
    const thread = this.#pickFor(pending)
    thread.isAwaited ||= !isBackground
    const id = this.#nextId++
    thread.pending.set(id, pending)
    thread.worker.postMessage(message(id))
    // The call stays with its thread until that has ended it.
    const leave = () => {
      if (!thread.pending.has(id)) return
      thread.worker.postMessage({ kind: 'abort', id } satisfies ToWorker)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave)
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  /** Reserves memory, which `#finish` gives back. Returns undefined when there is enough at once. */
  #reserve(pending: Pending, bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    if (bytes === 0) return undefined
    const reader = this.#reading.enter(pending, bytes, pending.from)
    return reader.isGranted ? undefined : this.#wait(reader, signal)
  }

  /** Waits for memory. Without a signal no request waits, so there is no time limit. @throws Problem 503 after `WAIT_MS` */
  async #wait(reader: Reader, signal: AbortSignal | undefined): Promise<void> {
    const late = new AbortController()
    const overload = () => late.abort(new Problem(503, OVERLOADED, { headers: { 'Retry-After': '10' } }))
    const timer = signal && setTimeout(overload, WAIT_MS)
    const left = AbortSignal.any([this.#stopping.signal, late.signal, ...(signal ? [signal] : [])])
    const { promise: leaving, resolve: leave } = Promise.withResolvers<void>()
    left.addEventListener('abort', () => leave())
    if (left.aborted) leave()
    await Promise.race([reader.granted, leaving])
    clearTimeout(timer)
    if (!left.aborted) return
    this.#reading.leave(reader)
    throw left.reason
  }

  /** Gives back what is reserved where no thread can be started. */
  #pickFor(pending: Pending): Thread {
    try {
      return this.#pick(pending)
    } catch (error) {
      this.#memory.release(pending)
      throw error
    }
  }

  #pick({ isBrief = false, isHolding = false }: Burden): Thread {
    const held = this.#threads.filter(isHeld)
    const mayHoldMore = held.length < Math.max(1, this.#size - 1)
    const threads = isHolding && !mayHoldMore ? held : this.#threads
    const best = threads.toSorted((a, b) => loadOf(a) - loadOf(b) || a.pending.size - b.pending.size)[0]
    const mayStart = this.#threads.length < this.#size && (!isHolding || mayHoldMore)
    const thread = best && (isBrief || loadOf(best) === 0 || !mayStart) ? best : this.#start()
    clearTimeout(thread.idleTimer)
    return thread
  }

  #start(): Thread {
    requireDescriptors()
    const worker = new Worker(new URL('./worker.ts', import.meta.url).href)
    const thread: Thread = { worker, pending: new Map(), idleTimer: undefined, isAwaited: false, wasLarge: false }
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.#receive(thread, event.data)
    worker.onerror = (event) => this.#stop(thread, new Error(`A git worker failed: ${event.message}`))
    worker.unref()
    this.#threads.push(thread)
    return thread
  }

  #stop(thread: Thread, error: Error): void {
    clearTimeout(thread.idleTimer)
    const at = this.#threads.indexOf(thread)
    if (at >= 0) this.#threads.splice(at, 1)
    thread.worker.terminate()
    for (const pending of thread.pending.values()) {
      this.#memory.release(pending)
      fail(pending, error)
    }
    thread.pending.clear()
  }

  #receive(thread: Thread, message: FromWorker): void {
    const pending = thread.pending.get(message.id)
    if (!pending) return
    if (message.kind === 'bytes') push(pending, message.bytes)
    else if (message.kind === 'share') (pending.shared ??= []).push(message.buffer)
    else if (message.kind === 'shared') push(pending, pending.shared?.[message.nth] as Uint8Array)
    else if (message.kind === 'taken') pending.credit?.give(message.count)
    else if (message.kind === 'notice') pending.onNotice?.(message.notice as never)
    else if (message.kind === 'acquire') this.#memory.acquire(pending, Math.min(message.bytes, this.#mostForPush), pending.sender)
    else if (message.kind === 'release') this.#memory.release(pending)
    else if (message.kind === 'pass') this.#memory.pass(pending)
    else if (message.kind === 'fork') void this.#fork(thread, message)
    else this.#finish(thread, message, pending)
  }

  #finish(thread: Thread, message: Extract<FromWorker, { kind: 'done' | 'failed' }>, pending: Pending): void {
    thread.pending.delete(message.id)
    pending.transfer?.end()
    thread.wasLarge ||= pending.transfer?.isLarge === true
    this.#memory.release(pending)
    if (message.kind === 'done') void mainTurns.goOn(() => succeed(pending, message.output), pending.from)
    else {
      const error = revive(message.error)
      this.#onFailure(error)
      void mainTurns.goOn(() => fail(pending, error), pending.from)
    }
    if (thread.pending.size > 0) return
    thread.idleTimer = setTimeout(() => this.#stop(thread, new Error('The worker was idle')), idleMsOf(thread))
    thread.idleTimer.unref()
  }

  async #fork(thread: Thread, { id, fork, task, inputs }: Extract<FromWorker, { kind: 'fork' }>): Promise<void> {
    const reply = (rest: { outputs: unknown[] } | { error: CarriedError }) =>
      thread.worker.postMessage({ kind: 'forked', id, fork, ...rest } satisfies ToWorker)
    const run = (input: unknown) => this.#call((shard) => ({ kind: 'shard', id: shard, task, input }), shardKinds[task])
    try {
      reply({ outputs: await Promise.all(inputs.map(run)) })
    } catch (error) {
      reply({ error: carry(error) })
    }
  }
}

function idleMsOf({ isAwaited, wasLarge }: Thread): number {
  if (!isAwaited) return UNAWAITED_IDLE_MS
  return wasLarge ? LARGE_IDLE_MS : IDLE_MS
}

/** How busy a thread is: with how many calls a further one would share it. Brief ones do not count. */
function loadOf({ pending }: Thread): number {
  let load = 0
  for (const { isBrief, isHolding } of pending.values()) if (!isBrief) load += isHolding ? HOLDING_LOAD : 1
  return load
}

function isHeld({ pending }: Thread): boolean {
  return [...pending.values()].some(({ isHolding }) => isHolding)
}

function push({ outgoing, transfer }: Pending, bytes: Uint8Array): void {
  outgoing?.push(bytes)
  transfer?.move(bytes.length)
}

function succeed(pending: Pending, output: unknown): void {
  pending.outgoing?.end()
  // Whoever still sends would wait forever for a task that has heard enough.
  pending.credit?.give(Number.MAX_SAFE_INTEGER)
  pending.resolve(output as never)
}

function fail(pending: Pending, error: Error): void {
  pending.transfer?.end()
  pending.outgoing?.fail(error)
  pending.credit?.give(Number.MAX_SAFE_INTEGER)
  pending.reject(error)
}
