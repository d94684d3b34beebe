import type { FromWorker, ToWorker } from './messages.ts'

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
}
