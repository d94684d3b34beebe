import type { CarriedError } from './carried-error.ts'
import type { RepoPlace } from './open-repos.ts'

/** What passes between the main thread and a worker. `id` names one call; bytes travel by transfer, never by copy. */
export type ToWorker =
  | { kind: 'run'; id: number; task: string; repo: RepoPlace; input: unknown }
  /** Work that names all it needs in its input, forked off by another worker. */
  | { kind: 'shard'; id: number; task: string; input: unknown }
  | { kind: 'stream'; id: number; task: string; repo: RepoPlace; input: unknown }
  | { kind: 'bytes'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  /** The main thread has passed on that many bytes of ours. */
  | { kind: 'taken'; id: number; count: number }
  | { kind: 'abort'; id: number }
  /** The call has the memory that it asked for with `acquire`. */
  | { kind: 'granted'; id: number }
  | { kind: 'forked'; id: number; fork: number; outputs?: unknown[]; error?: CarriedError }
  /** A repository's files are about to go: close them. */
  | { kind: 'forget'; path: string }

export type FromWorker =
  | { kind: 'done'; id: number; output: unknown }
  | { kind: 'failed'; id: number; error: CarriedError }
  | { kind: 'bytes'; id: number; bytes: Uint8Array }
  | { kind: 'taken'; id: number; count: number }
  | { kind: 'notice'; id: number; notice: unknown }
  /** Asks for, and gives back, its part of the memory that all threads share. */
  | { kind: 'acquire'; id: number; bytes: number }
  | { kind: 'release'; id: number }
  /** Run these on other threads and send the outputs back. */
  | { kind: 'fork'; id: number; fork: number; task: string; inputs: unknown[] }

/** How many bytes of one call may be on their way to a worker. */
export const WINDOW_BYTES = 4 * 1024 * 1024
/**
 * How many bytes of one call may be on their way from a worker. A client that does not read makes the server hold as many, besides the buffer
 * that is being filled and what its stream holds.
 */
export const ANSWER_WINDOW_BYTES = 1024 * 1024

/** Hands `bytes` over: by transfer when they are a buffer of their own, else as a copy that is. */
export function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength >= 65536
  return whole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}
