import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { Problem } from '#kernel/errors.ts'

/** Larger ones are streamed. */
export const MAX_WHOLE_BYTES = 1024 * 1024
/** Each holds its blob in a worker for as long as its reader takes. */
const MAX_STREAMS = 8

const streams = new WeakMap<Context, number>()

/**
 * A blob's content as it comes. Read it to the end or cancel it.
 * @throws Problem 503 when as many large files as allowed are on their way already
 */
export function streamBlob(context: Context, repoId: number, oid: Oid): ReadableStream<Uint8Array> {
  const open = streams.get(context) ?? 0
  if (open >= MAX_STREAMS) throw new Problem(503, 'Too many large files are being read at the moment; try again later.', { headers: { 'Retry-After': '5' } })
  streams.set(context, open + 1)
  const call = context.git.pool.stream('readBlob', { path: context.git.pathOf(repoId), limits: context.git.limits }, { oid })
  const pieces = call.outgoing[Symbol.asyncIterator]()
  const deadline = setTimeout(() => call.abort(), context.config.git.REQUEST_SECONDS * 1000)
  const leave = once(() => {
    clearTimeout(deadline)
    streams.set(context, (streams.get(context) ?? 1) - 1)
  })
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (!done) return controller.enqueue(value)
        leave()
        controller.close()
      } catch (error) {
        leave()
        controller.error(error)
      }
    },
    cancel() {
      leave()
      call.abort()
    },
  })
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
