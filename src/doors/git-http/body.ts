import { GitError } from '#git/errors.ts'
import { bodyOf } from '#kernel/bodies/request-body.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { BadRequest } from '#kernel/errors.ts'
import { type Pace, Progress, type Reader } from '#kernel/pace.ts'

/** What a request's body may cost. */
export interface BodyBounds {
  maxBytes: number
  /** For all of it. */
  seconds: number
  /** For a part of it. */
  pace: Pace
}

/** After so many pieces others have a turn: what comes meanwhile is one piece, where git sends a chunk of fifty bytes for each line of a long request. */
const PIECES = 16

/**
 * A request's body as git meant it: gunzipped when it says so, within its bounds, never held as a whole.
 * @throws GitError `limit` when it is too large or takes too long, TooSlow when it does not come on
 */
export function gitBody(request: Request, bounds: BodyBounds): AsyncGenerator<Uint8Array> {
  const body = bodyOf(request)
  if (!body) return (async function* () {})()
  const encoding = (request.headers.get('content-encoding') ?? 'identity').toLowerCase()
  if (encoding === 'identity') return bounded(body, bounds)
  if (encoding === 'gzip' || encoding === 'x-gzip') return bounded(body.pipeThrough(new DecompressionStream('gzip')), bounds)
  throw new BadRequest(`Cannot read the request body: content encoding "${encoding.slice(0, 40)}" is not supported. Use gzip.`)
}

async function* bounded(body: ReadableStream<Uint8Array>, { maxBytes, seconds, pace }: BodyBounds): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let late: GitError | undefined
  const timer = setTimeout(() => {
    late = new GitError('limit', `The request took longer than ${seconds} seconds`)
    void reader.cancel(late).catch(() => {})
  }, seconds * 1000)
  timer.unref()
  try {
    let [size, pieces] = [0, 0]
    const progress = new Progress(pace)
    const read = () => progress.wait(readOn(reader), ({ value }) => value?.length ?? 0)
    for (let next = await read(); !next.done; next = await read()) {
      size += next.value.length
      if (size > maxBytes) throw new GitError('limit', `The request is larger than ${maxBytes} bytes`)
      yield next.value
      if (++pieces % PIECES === 0 || isDue()) await breathe()
    }
    if (late) throw late
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => {})
  }
}

/** @throws GitError `protocol` when the client breaks off, or does not send the gzip it announced */
function readOn(reader: { read(): Promise<ReadResult> }): Promise<ReadResult> {
  return reader.read().catch((cause) => {
    throw new GitError('protocol', 'Cannot read the request body: it ends early or does not match its Content-Encoding', { cause })
  })
}

type ReadResult = { done: false; value: Uint8Array } | { done: true; value?: Uint8Array }

/** Reads and discards up to `maxBytes` of the rest of a body: a client that is still sending does not read the response. */
export async function drain(source: AsyncIterator<Uint8Array>, maxBytes: number): Promise<void> {
  for (let size = 0; size < maxBytes; ) {
    const next = await source.next().catch(() => ({ done: true as const, value: undefined }))
    if (next.done) return
    size += next.value.length
  }
}

/** What a response's maker hears of it. */
export interface ResponseEvents {
  /** The client is gone, or does not take what it asked for. */
  gone?(): void
  /** `write` is over, with what it threw if it did; the last bytes may still be under way. */
  end?(error?: unknown): void
}

/** What `new Response` takes. */
export type ResponseBody = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>

interface BodySink {
  write(bytes: Uint8Array): Promise<void>
}

/** So much of a response is held back for so long: when that is all of it, it goes out in one piece, which spares both sides a stream. */
const HELD_BYTES = 128 * 1024
const HELD_MS = 50

/**
 * A response body made of what `write` sends. A long one is a stream, which waits for the client.
 * @param client how long it is waited for
 */
export async function respond(write: (sink: BodySink) => Promise<void>, client: Reader, events: ResponseEvents = {}): Promise<ResponseBody> {
  const held: Uint8Array[] = []
  let size = 0
  let open: BodySink | undefined
  const opened = Promise.withResolvers<void>()
  const { promise: enough, resolve: stopHolding } = Promise.withResolvers<void>()
  const writing = write({
    async write(bytes) {
      if (open) return open.write(bytes)
      held.push(bytes)
      size += bytes.length
      if (size < HELD_BYTES) return
      stopHolding()
      await opened.promise
    },
  })
  const timer = setTimeout(stopHolding, HELD_MS)
  const isWhole = await Promise.race([writing.then(() => true), enough.then(() => false)]).catch(() => false)
  clearTimeout(timer)
  if (isWhole) {
    events.end?.()
    return Buffer.concat(held)
  }
  return stream(
    async (sink) => {
      for (let bytes = held.shift(); bytes; bytes = held.shift()) await sink.write(bytes)
      open = sink
      opened.resolve()
      await writing
    },
    client,
    events,
  )
}

/** Each write resolves when the client has taken it. */
function stream(write: (sink: BodySink) => Promise<void>, client: Reader, events: ResponseEvents): ReadableStream<Uint8Array> {
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const resume of waiting.splice(0)) resume()
  }
  let gone = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sink = {
          async write(bytes: Uint8Array) {
            if (isDue()) await breathe()
            if (gone) throw new GitError('protocol', 'The client disconnected')
            controller.enqueue(bytes)
            await client.waitFor(new Promise<void>((resolve) => waiting.push(resolve)), bytes.length).catch((error) => {
              events.gone?.()
              throw error
            })
          },
        }
        const close = () => {
          events.end?.()
          if (!gone) controller.close()
        }
        write(sink).then(close, (error) => {
          events.end?.(error)
          // Cuts the response off. With a reason Bun would print it, and anyone could fill the log.
          if (!gone) controller.error()
        })
      },
      pull: wake,
      cancel() {
        gone = true
        wake()
        events.gone?.()
      },
    },
    { highWaterMark: 0 },
  )
}
