import type { Context } from '#context.ts'
import type { StreamCall } from '#git/workers/pool.ts'
import { Problem } from '#kernel/errors.ts'

/** Each has its task wait in a worker, among others there, while its reader takes nothing. */
const MAX_STREAMS = 32

class Streams {
  open = 0
}

/**
 * What a worker sends, as it comes. Read it to the end or cancel it.
 * @param head comes first
 * @throws Problem 503 when as many as allowed are on their way already
 */
export function streamCall(context: Pick<Context, 'services'>, start: () => StreamCall<unknown>, head?: Uint8Array): ReadableStream<Uint8Array> {
  const streams = context.services.get(Streams)
  if (streams.open >= MAX_STREAMS) throw new Problem(503, 'Too many diffs are being read at the moment; try again later.', { headers: { 'Retry-After': '5' } })
  const call = start()
  streams.open++
  const pieces = call.outgoing[Symbol.asyncIterator]()
  let isOver = false
  const leave = (): void => {
    if (isOver) return
    isOver = true
    streams.open--
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (head) controller.enqueue(head)
      },
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (isOver) return
          if (!done) return controller.enqueue(value)
          leave()
          controller.close()
        } catch (error) {
          if (!isOver) controller.error(error)
          leave()
        }
      },
      cancel() {
        leave()
        call.abort()
      },
    },
    { highWaterMark: 0 },
  )
}
