import type { MemoryTurn } from '../packs/receive/memory-turn.ts'
import type { ShardName } from './shard-tasks.ts'

/** What a streaming task has besides its input. */
export interface TaskIo {
  readonly incoming: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
  /** Sends bytes to the main thread; waits while it is behind. */
  send(bytes: Uint8Array): Promise<void>
  /** See `PackSink`. */
  spare(): Uint8Array | undefined
  /** Tells the main thread something small, out of band. */
  notify(notice: unknown): void
  /** Runs one shard for each input on other threads. */
  fork(task: ShardName, inputs: unknown[]): Promise<unknown[]>
  /** Runs `work` when that many bytes of the shared budget are free. Do not nest it, and do not call it in a task that reserves memory before it begins. */
  withMemory<T>(bytes: number, work: (turn?: MemoryTurn) => Promise<T>): Promise<T>
}
