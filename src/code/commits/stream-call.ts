import type { StreamCall } from '#git/workers/pool.ts'

/**
 * What a worker sends, as it comes. Read it to the end or cancel it.
 * @param head comes first
 */
export function streamCall(start: () => StreamCall<unknown>, head?: Uint8Array): ReadableStream<Uint8Array> {
  const call = start()
  const pieces = call.outgoing[Symbol.asyncIterator]()
  let isOver = false
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
          controller.close()
        } catch (error) {
          if (!isOver) controller.error(error)
        }
      },
      cancel() {
        isOver = true
        call.abort()
      },
    },
    { highWaterMark: 0 },
  )
}
