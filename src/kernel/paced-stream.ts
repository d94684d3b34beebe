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

/** A request, and the server that it came to. */
export interface Peer {
  request: Request
  server: Connections | undefined
}

/** Requests that are answered by a stream that goes on when the answer has begun. */
const streamed = new WeakSet<Request>()

/** Whether the request is being answered for as long as its answer's body is read. */
export function isStreamed(request: Request): boolean {
  return streamed.has(request)
}

/** The same stream for a peer that has to take it at the pace, and wholly within `seconds`; else it is cut off, and the source cancelled. */
export function pacedStream(source: ReadableStream<Uint8Array>, pace: Pace, seconds: number, { request, server }: Peer): ReadableStream<Uint8Array> {
  streamed.add(request)
  const reader = source.getReader()
  const progress = new Progress(pace)
  let pulled: PromiseWithResolvers<void> | undefined
  const stop = (controller: ReadableStreamDefaultController) => {
    clearTimeout(deadline)
    void reader.cancel().catch(() => {})
    controller.error()
    cutOff(server, request)
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
