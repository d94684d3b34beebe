import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { BadRequest, Problem } from '#kernel/errors.ts'

/** A file as it comes in. */
export interface Upload {
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/** So long a client may send nothing. */
const STALL_MS = 60_000

/**
 * Gives `take` the file of the field `attachment` of a form while it comes in; nothing is held. RFC 7578.
 * @throws BadRequest without such a field, and for what is no form; Problem 408 when the client stalls; whatever `take` throws
 */
export async function readUpload<T>(request: Request, take: (upload: Upload) => Promise<T>): Promise<T> {
  const { default: Busboy } = await import('@fastify/busboy')
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type) || !request.body) throw new BadRequest('A form with a file in its field "attachment" is expected')
  const source = Readable.fromWeb(request.body as unknown as NodeReadableStream)
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const form = new Busboy({ headers: { 'content-type': type }, limits: { fields: 20, fieldSize: 65_536, parts: 21, files: 1, headerPairs: 50 } })
  let isTaken = false
  const stall = setTimeout(() => source.destroy(new Problem(408, 'The file does not come any further.')), STALL_MS)
  stall.unref()
  source.on('data', () => void stall.refresh())
  form.on('file', (field, stream, name) => {
    if (field !== 'attachment') return void stream.resume()
    isTaken = true
    take({ name, bytes: stream }).then(resolve, reject)
  })
  form.on('finish', () => {
    if (!isTaken) reject(new BadRequest('There is no file in the field "attachment"'))
  })
  form.on('error', (cause: unknown) => reject(cause instanceof Problem ? cause : new BadRequest('Cannot read the form', { cause })))
  source.on('error', (cause) => form.destroy(cause))
  source.pipe(form)
  try {
    return await promise
  } finally {
    clearTimeout(stall)
    source.unpipe(form)
    source.resume()
  }
}
