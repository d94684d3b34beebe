import { GitError } from '../git/errors.ts'
import { BadRequest } from '../kernel/errors.ts'

/** A request's body as git meant it: gunzipped when it says so, at most `maxBytes` of it, never held as a whole. */
export function gitBody(request: Request, maxBytes: number): AsyncIterable<Uint8Array> {
  const body = request.body
  if (!body) return (async function* () {})()
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding === 'identity') return counted(body, maxBytes)
  if (encoding === 'gzip' || encoding === 'x-gzip') return counted(body.pipeThrough(new DecompressionStream('gzip')), maxBytes)
  throw new BadRequest(`Cannot read the body: content encoding "${encoding.slice(0, 40)}" is not known; gzip is`)
}

async function* counted(body: ReadableStream<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new GitError('limit', `The request is larger than ${maxBytes} bytes`)
    yield chunk
  }
}

/** What is left of a body, read and thrown away for a while: a client that is still sending would not see an answer. */
export async function drain(source: AsyncIterator<Uint8Array>, maxBytes: number, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds
  for (let size = 0; size < maxBytes && performance.now() < until; ) {
    const next = await source.next().catch(() => ({ done: true as const, value: undefined }))
    if (next.done) return
    size += next.value.length
  }
}

/** A response body made of what `write` sends; it waits for the client, and learns when the client is gone. */
export function respond(write: (sink: { write(bytes: Uint8Array): Promise<void> }) => Promise<void>, onGone: () => void): ReadableStream<Uint8Array> {
  let wake: (() => void) | undefined
  let gone = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sink = {
          async write(bytes: Uint8Array) {
            if (gone) throw new GitError('protocol', 'The client went away')
            controller.enqueue(bytes)
            if ((controller.desiredSize ?? 1) > 0) return
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          },
        }
        const close = () => {
          if (!gone) controller.close()
        }
        write(sink).then(close, (error) => {
          if (!gone) controller.error(error)
        })
      },
      pull() {
        wake?.()
      },
      cancel() {
        gone = true
        wake?.()
        onGone()
      },
    },
    { highWaterMark: 2 },
  )
}
