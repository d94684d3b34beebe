import { type JobFailure, READY } from '#kernel/job-thread.ts'
import { readConfigText, readTemplateTexts } from './read-texts.ts'
import type { ConfigRead, TemplatesJob, TemplatesRead } from './templates-thread.ts'

/** The entry of the thread that reads templates of issues. */
declare const self: {
  onmessage: (event: MessageEvent<TemplatesJob>) => void
  postMessage: (answer: typeof READY | TemplatesRead | ConfigRead | JobFailure) => void
}

self.onmessage = ({ data }) => {
  self.postMessage(attempt(data))
}
self.postMessage(READY)

function attempt(job: TemplatesJob): TemplatesRead | ConfigRead | JobFailure {
  try {
    return 'config' in job ? readConfigText(job.config) : readTemplateTexts(job.files, job.budget)
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
