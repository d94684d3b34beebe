import { JSON_TYPE, uncheckedPages } from '../http.ts'
import { AnswerMemory } from './answer-memory.ts'
import { type Peer, type StreamContext, streamIn } from './paced-stream.ts'

/** Answers with less content are made and sent like all others. */
export const LARGE_BYTES = 128 * 1024
/** The content, its base64 and the JSON around that are there at once. */
const COPIES = 3

/**
 * Answers with JSON that holds `bytes` of content: made once there is memory for it, which it holds until it is taken.
 * @throws Problem 503 as `AnswerMemory` does; and what `make` does
 */
export async function largeJson<T>(context: StreamContext, peer: Peer, bytes: number, make: () => Promise<T>): Promise<T> {
  if (bytes < LARGE_BYTES) return make()
  let length = 0
  const body = await largeBytes(context, peer, COPIES * bytes, async () => {
    const json = Buffer.from(JSON.stringify(await make()))
    length = json.length
    return json
  })
  return new Response(body, { headers: { 'Content-Type': JSON_TYPE, 'Content-Length': String(length) } }) as never
}

/**
 * Bytes of a known length, had once there is memory for them, which they hold until they are taken.
 * @throws Problem 503 as `AnswerMemory` does; and what `make` does
 */
export async function largeBytes(context: StreamContext, peer: Peer, bytes: number, make: () => Promise<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const room = await context.services.get(AnswerMemory).enter('whole', bytes)
  try {
    return streamIn(context, room, wholeStream(await make()), peer)
  } catch (error) {
    room.leave()
    throw error
  }
}

/** Bytes that are there, as a stream. */
export function wholeStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}

/**
 * The same of a list that is made entry by entry, as it is taken.
 * @param largest of the contents of entries, in bytes
 * @param total how many entries there are
 */
export async function largeJsonList<T>(
  context: StreamContext,
  peer: Peer,
  { largest, total }: { largest: number; total: number },
  entries: AsyncIterable<readonly T[]>,
): Promise<T[]> {
  const room = await context.services.get(AnswerMemory).enter('whole', COPIES * largest)
  let isStreamed = false
  try {
    const sent = async (source: ReadableStream<Uint8Array>) => {
      isStreamed = true
      return streamIn(context, room, source, peer)
    }
    return await uncheckedPages(entries, sent, { total: () => total })
  } finally {
    if (!isStreamed) room.leave()
  }
}
