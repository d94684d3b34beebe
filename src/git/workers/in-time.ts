import { GitError } from '../errors.ts'
import { runSteps, type Steps } from '../steps.ts'

const MERGE_MS = 60_000

/**
 * Does work that ends once its signal says so, which is after so many milliseconds.
 * @param what it does, for the error: `merge`, `compare`
 * @throws GitError `limit` when it takes longer
 */
export async function inTime<T>(what: string, milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new GitError('limit', `Cannot ${what}: it took longer than ${milliseconds} ms`)), milliseconds)
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** @throws GitError `limit` when the merge takes longer than a minute */
export function mergeInTime<T>(steps: Steps<T>): Promise<T> {
  return inTime('merge', MERGE_MS, (signal) => runSteps(steps, signal))
}
