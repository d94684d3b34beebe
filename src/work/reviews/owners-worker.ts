import { type JobFailure, READY } from '#kernel/job-thread.ts'
import { ownersOf, parseCodeOwners } from './code-owners.ts'
import type { OwnersFound, OwnersJob } from './owners-thread.ts'

/** The entry of the thread that reads CODEOWNERS files. */
declare const self: { onmessage: (event: MessageEvent<OwnersJob>) => void; postMessage: (answer: typeof READY | OwnersFound | JobFailure) => void }

self.onmessage = ({ data }) => self.postMessage(attempt(data))
self.postMessage(READY)

function attempt({ text, paths }: OwnersJob): OwnersFound | JobFailure {
  try {
    return { owners: ownersOf(parseCodeOwners(text), paths) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
