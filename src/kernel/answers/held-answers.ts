import { estimateShallowMemoryUsageOf } from 'bun:jsc'
import { AnswerMemory } from './answer-memory.ts'
import { wholeStream } from './large-json.ts'
import { type Connections, isStreamed, type StreamContext, streamIn } from './paced-stream.ts'

/** While no more requests than these are under way, what their answers hold is of no account. */
const FEW = 32
/** Smaller answers are in the connection's own buffers at once, read or not. */
const LARGE_BYTES = 64 * 1024
/** What Bun says that an answer takes whose body it does not have: there is none, or it is a stream or a file. */
const BODILESS = estimateShallowMemoryUsageOf(new Response(null))
/** More than the text of a status, which is in what an answer takes besides its body. */
const STATUS_BYTES = 64

/** Whether answers are to be counted now. */
export function isCrowded(server: { pendingRequests: number }): boolean {
  return server.pendingRequests > FEW
}

/**
 * Whether the answer's body is there and short, which Bun tells without touching it: bytes as many as they are, and a text in the form it is held
 * in, which has half as many at the least as what is sent. Of a body that is not there this says nothing.
 */
function isSmall(response: Response): boolean {
  const bytes = estimateShallowMemoryUsageOf(response) - BODILESS
  return bytes > STATUS_BYTES && bytes < LARGE_BYTES / 2
}

/**
 * Counts an answer that is made whole (a page, JSON, a file of up to a MiB) into the memory of answers: who asks for many and reads none of them
 * would have all of them held. Streams, which are counted before they are made, pass.
 * @throws Problem 503 where there is no room for it
 */
export async function countHeld(context: StreamContext, request: Request, response: Response, server: NonNullable<Connections>): Promise<Response> {
  if (isSmall(response) || request.method === 'HEAD' || isStreamed(request) || isStream(response)) return response
  const { status, headers } = response
  const body = await response.bytes()
  if (body.length < LARGE_BYTES) return new Response(body.length === 0 ? null : body, { status, headers })
  const room = await context.services.get(AnswerMemory).enterMade(body.length)
  headers.set('Content-Length', String(body.length))
  return new Response(streamIn(context, room, wholeStream(body), { request, server }), { status, headers })
}

/** Those of git are at their client's pace already; the others that are not made whole say how long they are. */
function isStream({ headers }: Response): boolean {
  return headers.has('content-length') || headers.get('content-type')?.startsWith('application/x-git-') === true
}
