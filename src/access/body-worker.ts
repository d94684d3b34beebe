import { fieldsOf } from '#kernel/bodies/form-body.ts'
import { parseJson } from '#kernel/bodies/json-body.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { type JobFailure, READY } from '#kernel/job-thread.ts'
import type { BodyJob, BodyRead } from './body-thread.ts'

/** The entry of the thread that takes large bodies apart. */
declare const self: { onmessage: (event: MessageEvent<BodyJob>) => void; postMessage: (answer: typeof READY | BodyRead | JobFailure) => void }

self.onmessage = async ({ data }) => {
  self.postMessage(await attempt(data))
  // By itself memory goes only when as much again has come.
  Bun.gc(true)
}
self.postMessage(READY)

async function attempt({ bytes, contentType }: BodyJob): Promise<BodyRead | JobFailure> {
  try {
    return { found: contentType === undefined ? parseJson(bytes) : await fieldsOf(bytes, contentType) }
  } catch (error) {
    if (error instanceof Unprocessable) return { refusal: error.message }
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
