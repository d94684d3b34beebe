import { AnswerMemory } from './answer-memory.ts'
import { wholeStream } from './large-json.ts'
import { type Connections, isStreamed, type StreamContext, streamIn } from './paced-stream.ts'

/** While no more requests than these are under way, what their answers hold is of no account. */
const FEW = 32
/** Smaller answers are in the connection's own buffers at once, read or not. */
const LARGE_BYTES = 64 * 1024

/** Whether answers are to be counted now. */
export function isCrowded(server: { pendingRequests: number }): boolean {
  return server.pendingRequests > FEW
}

/**
 * Counts an answer that is made whole (a page, JSON, a file of up to a MiB) into the memory of answers: who asks for many and reads none of them
 * would have all of them held. Streams, which are counted before they are made, pass.
 * @throws Problem 503 where there is no room for it
 */
export async function countHeld(context: StreamContext, request: Request, response: Response, server: NonNullable<Connections>): Promise<Response> {
  if (request.method === 'HEAD' || isStreamed(request) || isStream(response)) return response
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
