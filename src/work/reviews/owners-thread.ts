import { JobThread } from '#kernel/job-thread.ts'

/** A CODEOWNERS file, and the paths of changed files. */
export interface OwnersJob {
  text: string
  paths: string[]
}

export interface OwnersFound {
  owners: string[]
}

/** Its expressions are strangers': one that takes long holds up nobody else. */
export const ownersThread = new JobThread<OwnersJob, OwnersFound>('read the code owners', () => new Worker(new URL('./owners-worker.ts', import.meta.url).href))

export const MAX_MS = 1000
