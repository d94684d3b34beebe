import { type JobFailure, READY } from '#kernel/job-thread.ts'
import { TooMuch } from './bounds.ts'
import { highlightFile } from './highlight-file.ts'
import type { CodeJob, Rendered, RenderJob } from './job.ts'
import { render } from './render.ts'

/** The entry of the rendering thread: one text at a time, each answered in turn. */
declare const self: { onmessage: (event: MessageEvent<RenderJob | CodeJob>) => void; postMessage: (answer: typeof READY | Rendered | JobFailure) => void }

/** What longer texts have left in memory goes at once: by itself that happens only when as much again has come. */
const LONG = 50_000

self.onmessage = ({ data }) => {
  self.postMessage(attempt(data))
  if (('code' in data ? data.code : data.text).length > LONG) Bun.gc(true)
}
self.postMessage(READY)

function attempt(job: RenderJob | CodeJob): Rendered | JobFailure {
  try {
    return 'code' in job ? { html: '', lines: highlightFile(job) } : { html: render(job) }
  } catch (error) {
    if (error instanceof TooMuch) return { error: error.message, isRefusal: true }
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
