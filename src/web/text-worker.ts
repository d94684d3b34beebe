import { type JobFailure, READY } from '#kernel/job-thread.ts'
import { textOfPage } from './plain-text.ts'
import type { PageText, TextJob } from './text-thread.ts'

/** The entry of the thread that writes long pages as text. */
declare const self: { onmessage: (event: MessageEvent<TextJob>) => void; postMessage: (answer: typeof READY | PageText | JobFailure) => void }

self.onmessage = ({ data }) => {
  self.postMessage(attempt(data))
  // By itself memory goes only when as much again has come.
  Bun.gc(true)
}
self.postMessage(READY)

function attempt({ html }: TextJob): PageText | JobFailure {
  try {
    return { text: textOfPage(html) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
