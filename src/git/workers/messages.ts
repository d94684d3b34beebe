import { OUTPUT_BYTES } from '../packs/write/pack-output.ts'
import type { CarriedError } from './carried-error.ts'
import type { RepoPlace } from './open-repos.ts'
import type { ShardName } from './shard-tasks.ts'

/** What passes between the main thread and a worker. `id` names one call; bytes travel by transfer, or lie in memory that both see, never by copy. */
export type ToWorker =
  /** `isLong`: it may hold the thread, and takes its turn among others before it begins. */
  | { kind: 'run'; id: number; task: string; repo: RepoPlace; input: unknown; isLong?: boolean }
  /** Work that names all it needs in its input, forked off by another worker. */
  | { kind: 'shard'; id: number; task: ShardName; input: unknown }
  | { kind: 'stream'; id: number; task: string; repo: RepoPlace; input: unknown }
  | { kind: 'bytes'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  /** The main thread has passed on that many bytes of ours. */
  | { kind: 'taken'; id: number; count: number }
  /** `error` says why, where it is not that the client is gone. */
  | { kind: 'abort'; id: number; error?: CarriedError }
  /** The call has the memory that it asked for with `acquire`. */
  | { kind: 'granted'; id: number }
  /** Others wait for memory that the call holds. */
  | { kind: 'awaited'; id: number }
  | { kind: 'forked'; id: number; fork: number; outputs?: unknown[]; error?: CarriedError }
  /** A repository's files are about to go: close them. */
  | { kind: 'forget'; path: string }

export type FromWorker =
  | { kind: 'done'; id: number; output: unknown }
  | { kind: 'failed'; id: number; error: CarriedError }
  | { kind: 'bytes'; id: number; bytes: Uint8Array }
  /** From now on both threads see that buffer; see `SharedBuffers`. */
  | { kind: 'share'; id: number; buffer: Uint8Array }
  /** The buffer that was shared as the nth is full of bytes. */
  | { kind: 'shared'; id: number; nth: number }
  | { kind: 'taken'; id: number; count: number }
  | { kind: 'notice'; id: number; notice: unknown }
  /** Asks for, and gives back, its part of the memory that all threads share. */
  | { kind: 'acquire'; id: number; bytes: number }
  | { kind: 'release'; id: number }
  /** Lets those who wait have it, and waits for it again. */
  | { kind: 'pass'; id: number }
  /** Run these on other threads and send the outputs back. */
  | { kind: 'fork'; id: number; fork: number; task: ShardName; inputs: unknown[] }

/** How many bytes of one call may be on their way to a worker. */
export const WINDOW_BYTES = 4 * 1024 * 1024
/**
 * How many bytes of one call may be on their way from a worker until its client has taken them: one piece of a pack. For a client that does not read, the
 * server holds these and the next piece, which waits to be sent. A larger window makes no reader faster.
 */
export const ANSWER_WINDOW_BYTES = OUTPUT_BYTES

/** An answer is handed over in pieces of at most so many bytes: a piece that a reader has only begun to take is held whole. */
const ANSWER_PIECE_BYTES = 256 * 1024

/** `bytes` in pieces that an answer may be handed over in. */
export function* answerPieces(bytes: Uint8Array): Generator<Uint8Array> {
  if (bytes.length <= ANSWER_PIECE_BYTES) return yield bytes
  for (let at = 0; at < bytes.length; at += ANSWER_PIECE_BYTES) yield bytes.subarray(at, at + ANSWER_PIECE_BYTES)
}

/** `bytes` as an array whose buffer can be transferred: the same where they are all of a buffer worth transferring, else a copy. */
export function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength >= 65536
  return whole ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}
