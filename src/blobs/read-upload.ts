import { Readable } from 'node:stream'
import { hasBody } from '#kernel/bodies/request-body.ts'
import { rememberSent } from '#kernel/bodies/sent-form.ts'
import { BadRequest, Problem, Unprocessable } from '#kernel/errors.ts'
import { streamBody } from '#kernel/http.ts'
import type { Pace } from '#kernel/pace.ts'

/** A file as it comes in. */
export interface Upload {
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/** A form with its files, which went to whom they were given to. */
export interface FormWithFiles<T> {
  /** Texts by name, in the order they came. */
  fields: ReadonlyMap<string, readonly string[]>
  files: readonly T[]
}

interface FormLimits {
  fields: number
  fieldBytes: number
  files: number
}

/**
 * Gives `take` the file of the field `attachment` of a form while it comes in; nothing is held. RFC 7578.
 * @returns what `take` returned, and the other fields, of which a form may have some after the file
 * @throws BadRequest without such a field, and for what is no form; TooSlow for a client that falls behind the pace; whatever `take` throws
 */
export async function readUpload<T>(
  request: Request,
  pace: Pace,
  take: (upload: Upload) => Promise<T>,
): Promise<Pick<FormWithFiles<T>, 'fields'> & { file: T }> {
  const { fields, files } = await readFormWithFiles(request, pace, { fields: 20, fieldBytes: 65_536, files: 1 }, take)
  if (files.length === 0) throw new BadRequest('The form has no file in the field "attachment"')
  return { fields, file: files[0] as T }
}

/**
 * Reads a form, multipart where it has files. Those of the field `attachment` are given to `take` as they come, and are not held, with names from which
 * directories are gone; fields of a form where no file was chosen count as none.
 * @throws BadRequest for what is no form; Unprocessable beyond a limit; TooSlow for a client that falls behind the pace; whatever `take` throws, once
 * all that was begun has ended
 */
export async function readFormWithFiles<T>(request: Request, pace: Pace, limits: FormLimits, take: (upload: Upload) => Promise<T>): Promise<FormWithFiles<T>> {
  const { default: Busboy } = await import('@fastify/busboy')
  const type = request.headers.get('content-type') ?? ''
  if (!/^(?:multipart\/form-data\s*;|application\/x-www-form-urlencoded\s*(?:;|$))/i.test(type) || !hasBody(request))
    throw new BadRequest('Expected a multipart/form-data body with a file in the field "attachment"')
  const source = Readable.from(streamBody(request, pace), { objectMode: false })
  const { promise: finished, resolve: finish, reject } = Promise.withResolvers<void>()
  const most = { fields: limits.fields, fieldSize: limits.fieldBytes, files: limits.files, parts: limits.fields + limits.files, headerPairs: 50 }
  const form = parserOf(() => new Busboy({ headers: { 'content-type': type }, limits: most }))
  const fields = new Map<string, string[]>()
  rememberSent(request, () => fields)
  // The other fields are read all the same: whoever filled them in gets them back.
  let refusal: Unprocessable | undefined
  const taken: Promise<T>[] = []
  const streams: Readable[] = []
  form.on('field', (name, text, _, isCut) => {
    if (isCut) refusal ??= new Unprocessable(`Cannot read the form: the field "${name.slice(0, 50)}" is too long`)
    fields.set(name, [...(fields.get(name) ?? []), text.toWellFormed()])
  })
  form.on('file', (field, stream, name) => {
    // The form tells of it, too; whoever takes the file may not be listening yet, and nobody ever is to one that is passed over.
    stream.on('error', () => {})
    if (field !== 'attachment' || name === '') return void stream.resume()
    streams.push(stream)
    const file = take({ name, bytes: stream })
    file.catch(reject)
    taken.push(file)
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    form.on(limit, () => reject(new Unprocessable(`Cannot read the form: it has more than ${limits.files} files or ${limits.fields} fields`)))
  }
  form.on('finish', () => (refusal ? reject(refusal) : finish()))
  form.on('error', (cause: unknown) => reject(cause instanceof Problem ? cause : new BadRequest('Cannot read the form', { cause })))
  source.on('error', (cause) => form.destroy(cause))
  source.pipe(form)
  try {
    await finished
    return { fields, files: await Promise.all(taken) }
  } finally {
    source.unpipe(form)
    source.resume()
    // Whoever still waits for bytes of a form that is not read further would wait for ever.
    for (const stream of streams) stream.destroy()
    await Promise.allSettled(taken)
  }
}

/** What its type says of a body can be wrong: it names no boundary, or one that is longer than any. */
function parserOf<T>(make: () => T): T {
  try {
    return make()
  } catch (cause) {
    throw new BadRequest('Cannot read the form: its Content-Type has no valid boundary', { cause })
  }
}
