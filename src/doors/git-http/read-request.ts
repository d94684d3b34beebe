import { GitError } from '#git/errors.ts'
import type { Bounds } from '#kernel/answer-memory.ts'
import { Problem } from '#kernel/errors.ts'

/** What a request of a fetch may have without counting as large: a thousand wants and haves. */
const SMALL_BYTES = 64 * 1024
/** What share of the memory for answers large requests may take: their lines come to several times that in the worker that reads them. */
const SHARE = 1 / 8

/** The bytes of all large requests that are being read or answered, together. */
export class LargeRequests {
  readonly #most: number
  #held = 0

  constructor({ config: { server } }: Bounds) {
    this.#most = server.ANSWER_MEMORY * SHARE
  }

  /**
   * Counts `bytes` more of a request.
   * @param of what it has in all
   * @throws GitError `limit` when it alone is larger than all may be; Problem 503 when there is no room beside the others
   */
  take(bytes: number, of: number): void {
    if (of > this.#most) throw new GitError('limit', `The request is larger than ${this.#most} bytes`)
    if (this.#held + bytes > this.#most)
      throw new Problem(503, 'Too many large requests are being answered at the moment; try again later.', { headers: { 'Retry-After': '5' } })
    this.#held += bytes
  }

  release(bytes: number): void {
    this.#held -= bytes
  }
}

/** A request as a whole, which counts until it is answered. */
export interface HeldRequest {
  /** Each of 64 KiB or more but the last. */
  pieces: Uint8Array[]
  release(): void
}

/**
 * Reads a request of a fetch, which nothing is done for before it is there: who sends slowly has no thread's memory for that long.
 * @throws whatever `body` and `LargeRequests` throw
 */
export async function readRequest(body: AsyncIterable<Uint8Array>, large: LargeRequests): Promise<HeldRequest> {
  const pieces: Uint8Array[] = []
  let [size, counted] = [0, 0]
  try {
    for await (const piece of joined(body)) {
      size += piece.length
      if (size > SMALL_BYTES) {
        large.take(size - counted, size)
        counted = size
      }
      pieces.push(piece)
    }
  } catch (error) {
    large.release(counted)
    throw error
  }
  return {
    pieces,
    release() {
      large.release(counted)
      counted = 0
    },
  }
}

/** Many clients send a chunk for each line, of which a long request has a hundred thousand; a worker is sent few messages. */
async function* joined(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [some, size]: [Uint8Array[], number] = [[], 0]
  for await (const piece of body) {
    some.push(piece)
    size += piece.length
    if (size < SMALL_BYTES) continue
    yield Buffer.concat(some)
    some = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(some)
}
