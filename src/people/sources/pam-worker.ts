import { type JobFailure, READY } from '#kernel/job-thread.ts'
import type { PamAnswer, PamJob } from './pam-job.ts'
import { askPam } from './pam-library.ts'

/** The entry of a thread that asks PAM, which blocks it: one question at a time, each answered in turn. */
declare const self: { onmessage: (event: MessageEvent<PamJob>) => void; postMessage: (answer: typeof READY | PamAnswer | JobFailure) => void }

self.onmessage = ({ data }) => self.postMessage(attempt(data))
self.postMessage(READY)

function attempt(job: PamJob): PamAnswer | JobFailure {
  try {
    return askPam(job)
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) }
  }
}
