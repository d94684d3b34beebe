import { GitError } from '#git/errors.ts'
import type { AnswerMemory, Room } from '#kernel/answers/answer-memory.ts'

/** What a request of a fetch may have without counting as large: a thousand wants and haves. */
const SMALL_BYTES = 64 * 1024

/** A request as a whole. */
export interface HeldRequest {
  /** Each of 64 KiB or more but the last. */
  pieces: Uint8Array[]
  /** What a large one takes, until it is answered: its lines come to several times its bytes in the worker that reads them. */
  room?: Room
}

/**
 * Reads a request of a fetch, which nothing is done for before it is there: who sends slowly has no thread's memory for that long. A large one
 * is read on once there is memory for it.
 * @throws GitError `limit` when it is larger than one may be; TooSlow when it does not come on while others wait; whatever `body` throws, and
 * `AnswerMemory`
 */
export async function readRequest(body: AsyncIterable<Uint8Array>, memory: AnswerMemory): Promise<HeldRequest> {
  const pieces: Uint8Array[] = []
  const source = joined(body)
  let size = 0
  let room: Room | undefined
  try {
    for (let next = await source.next(); !next.done; next = await nextPiece(source, room)) {
      size += next.value.length
      pieces.push(next.value)
      if (size > SMALL_BYTES) room ??= await memory.enterRequest()
      if (room && size > room.bytes) throw new GitError('limit', `The request is larger than ${room.bytes} bytes`)
    }
  } catch (error) {
    void source.return(undefined).catch(() => {})
    room?.leave()
    throw error
  }
  room?.shrink(size)
  return { pieces, room }
}

async function nextPiece(source: AsyncGenerator<Uint8Array>, room: Room | undefined): Promise<IteratorResult<Uint8Array, unknown>> {
  const next = source.next()
  const read = next.then(() => {})
  await (room ? room.waitFor(read, SMALL_BYTES) : read)
  return next
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
