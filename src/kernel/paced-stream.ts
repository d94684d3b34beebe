import { type Pace, Progress, TooSlow } from './pace.ts'

/**
 * What of its server a handler uses; absent in tests that have none. Deadlines count from the last byte that moved; 0 is none.
 */
export type Connections = { timeout(request: Request, seconds: number): void } | null

/**
 * Ends the connection of a peer that does not take its answer: failing the answer's stream alone leaves what Bun has buffered
 * where it is for as long as the peer likes.
 */
export function cutOff(server: Connections | undefined, request: Request): void {
  server?.timeout(request, 1)
}

/**
 * The same stream for a peer that has to take it at the pace, and wholly within `seconds`.
 * @param end called when it does not; the source is cancelled then
 */
export function pacedStream(source: ReadableStream<Uint8Array>, pace: Pace, seconds: number, end: () => void): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  const progress = new Progress(pace)
  let pulled: PromiseWithResolvers<void> | undefined
  const stop = (controller: ReadableStreamDefaultController) => {
    clearTimeout(deadline)
    void reader.cancel().catch(() => {})
    controller.error()
    end()
  }
  let deadline: Timer | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        deadline = setTimeout(() => stop(controller), seconds * 1000)
        deadline.unref()
      },
      async pull(controller) {
        pulled?.resolve()
        const { value } = await reader.read()
        if (value === undefined) {
          clearTimeout(deadline)
          return controller.close()
        }
        pulled = Promise.withResolvers()
        progress
          .wait(pulled.promise, () => value.length)
          .catch((error) => {
            if (error instanceof TooSlow) stop(controller)
          })
        controller.enqueue(value)
      },
      async cancel(reason) {
        clearTimeout(deadline)
        pulled?.resolve()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
