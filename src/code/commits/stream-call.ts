import type { StreamCall } from '#git/workers/pool.ts'

/**
 * What a worker sends, as it comes. Resolves when the first of it is there: what fails until then can still be answered. Read it to the end or cancel it.
 * @param gone gives up the wait for the first of it
 * @param head comes before it
 * @throws what the worker does
 */
export async function streamCall(start: () => StreamCall<unknown>, gone: AbortSignal, head?: Uint8Array): Promise<ReadableStream<Uint8Array>> {
  const call = start()
  const pieces = call.outgoing[Symbol.asyncIterator]()
  let first: IteratorResult<Uint8Array> | undefined = await firstOf(pieces, call, gone)
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (head) controller.enqueue(head)
      },
      async pull(controller) {
        try {
          const { done, value } = first ?? (await pieces.next())
          first = undefined
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

async function firstOf(pieces: AsyncIterator<Uint8Array>, call: StreamCall<unknown>, gone: AbortSignal): Promise<IteratorResult<Uint8Array>> {
  const abort = () => call.abort()
  if (gone.aborted) abort()
  gone.addEventListener('abort', abort)
  try {
    return await pieces.next()
  } finally {
    gone.removeEventListener('abort', abort)
  }
}
