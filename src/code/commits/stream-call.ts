import type { Context } from '#context.ts'
import type { StreamCall } from '#git/workers/pool.ts'
import { Problem } from '#kernel/errors.ts'

/** Each has its task wait in a worker, among others there, while its reader takes nothing. */
const MAX_STREAMS = 32

class Streams {
  open = 0
}

/**
 * What a worker sends, as it comes. Read it to the end or cancel it; who takes nothing for `server.PROGRESS_SECONDS` is cut off.
 * @param head comes first
 * @throws Problem 503 when as many as allowed are on their way already
 */
export function streamCall(context: Pick<Context, 'config' | 'services'>, start: () => StreamCall<unknown>, head?: Uint8Array): ReadableStream<Uint8Array> {
  const streams = context.services.get(Streams)
  if (streams.open >= MAX_STREAMS) throw new Problem(503, 'Too many diffs are being read at the moment; try again later.', { headers: { 'Retry-After': '5' } })
  streams.open++
  const call = start()
  const pieces = call.outgoing[Symbol.asyncIterator]()
  let isOver = false
  let stalled: Timer | undefined
  const leave = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(deadline)
    clearTimeout(stalled)
    streams.open--
  }
  let cutOff = leave
  const deadline = setTimeout(() => cutOff(), context.config.git.REQUEST_SECONDS * 1000)
  const wait = (): void => {
    stalled = setTimeout(() => cutOff(), context.config.server.PROGRESS_SECONDS * 1000)
  }
  return new ReadableStream({
    start(controller) {
      cutOff = () => {
        if (isOver) return
        leave()
        call.abort()
        controller.error(new Error('The reader of a diff takes nothing any more, or too long'))
      }
      if (head) controller.enqueue(head)
      wait()
    },
    async pull(controller) {
      clearTimeout(stalled)
      try {
        const { done, value } = await pieces.next()
        if (isOver) return
        if (!done) {
          controller.enqueue(value)
          return wait()
        }
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
  })
}
