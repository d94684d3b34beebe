import { fieldsOf } from '#kernel/bodies/form-body.ts'
import { parseJson } from '#kernel/bodies/json-body.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { JobThread } from '#kernel/job-thread.ts'

/** A body to be taken apart: a form where its content type is given, else JSON. */
export interface BodyJob {
  bytes: Uint8Array
  contentType: string | undefined
}

/** What is in it, or why it is refused. */
export type BodyRead = { found: unknown } | { refusal: string }

/** Larger ones take milliseconds: a megabyte of JSON up to fifteen, one of a form ten. */
const MOST_AT_ONCE = 256 * 1024
const MAX_MS = 30_000

const bodyThread = new JobThread<BodyJob, BodyRead>('read the body', () => new Worker(new URL('./body-worker.ts', import.meta.url).href))

/** The value of a JSON body; a large one goes to the other thread for good, and is parsed there. @param line whose it is @throws Unprocessable as `parseJson` */
export async function readJson(bytes: Uint8Array, line: string): Promise<unknown> {
  return bytes.length > MOST_AT_ONCE ? readAside({ bytes, contentType: undefined }, line) : parseJson(bytes)
}

/** The texts of a form, in the same way. @throws Unprocessable as `fieldsOf` */
export async function readFields(bytes: Uint8Array, contentType: string, line: string): Promise<Map<string, string[]>> {
  return bytes.length > MOST_AT_ONCE ? ((await readAside({ bytes, contentType }, line)) as Map<string, string[]>) : fieldsOf(bytes, contentType)
}

async function readAside({ bytes, contentType }: BodyJob, line: string): Promise<unknown> {
  const own = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
  const read = await bodyThread.run({ bytes: own, contentType }, { line, milliseconds: MAX_MS, transfer: [own.buffer as ArrayBuffer] })
  if ('refusal' in read) throw new Unprocessable(read.refusal)
  return read.found
}
