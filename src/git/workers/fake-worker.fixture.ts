import { afterEach, beforeEach } from 'bun:test'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { type StreamCall, WorkerPool } from './pool.ts'

/** A thread that does nothing by itself: a test says what comes from it, and sees what was sent to it. */
export class FakeWorker {
  /** All that were started since `reset`, in order. */
  static readonly started: FakeWorker[] = []

  static reset(): void {
    FakeWorker.started.length = 0
  }

  onmessage: ((event: { data: FromWorker }) => void) | undefined
  onerror: ((event: { message: string }) => void) | undefined
  readonly sent: ToWorker[] = []
  isTerminated = false

  constructor() {
    FakeWorker.started.push(this)
  }

  /** As a real one: what is transferred is gone from the sender. */
  postMessage(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.sent.push(structuredClone(message, { transfer }))
  }

  terminate(): void {
    this.isTerminated = true
  }

  unref(): void {}

  /** Something comes from the thread. */
  say(message: FromWorker): void {
    this.onmessage?.({ data: structuredClone(message) })
  }

  /** The thread ends by an error that no call had. */
  die(message = 'out of memory'): void {
    this.onerror?.({ message })
  }

  /** Ids of the calls that it was sent, in order. */
  get calls(): number[] {
    return this.sent.flatMap((message) => (message.kind === 'run' || message.kind === 'stream' || message.kind === 'shard' ? [message.id] : []))
  }

  kinds(): string[] {
    return this.sent.map(({ kind }) => kind)
  }

  of<K extends ToWorker['kind']>(kind: K): Extract<ToWorker, { kind: K }>[] {
    return this.sent.filter((message): message is Extract<ToWorker, { kind: K }> => message.kind === kind)
  }
}

export const place = { path: '/nowhere', limits: defaultLimits }

/** A pool of two such threads, a new one for each test. */
export class FakePool {
  #pool = new WorkerPool(2)

  constructor() {
    const RealWorker = globalThis.Worker
    beforeEach(() => {
      FakeWorker.reset()
      globalThis.Worker = FakeWorker as unknown as typeof Worker
      this.#pool = new WorkerPool(2)
    })
    afterEach(async () => {
      await this.#pool.close()
      globalThis.Worker = RealWorker
    })
  }

  get pool(): WorkerPool {
    return this.#pool
  }

  at(index: number): FakeWorker {
    return FakeWorker.started[index] as FakeWorker
  }

  run(): Promise<unknown> {
    return this.#pool.run('checkReach', place, { tips: [] })
  }

  stream(onNotice?: (notice: never) => void, sender?: string): StreamCall<unknown> {
    return this.#pool.stream('bring', place, { from: '/elsewhere', tips: [] as Oid[], quarantine: '/q' }, onNotice, sender)
  }
}

/** What work comes to, a failure as text. */
export function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (output) => output,
    (error: Error) => `failed: ${error.message}`,
  )
}

/** Lets everything that can go on do so. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
  for (let i = 0; i < 5; i++) await new Promise(setImmediate)
}
