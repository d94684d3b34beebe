import { breathe, isDue } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'

const DEFAULT_DEADLINE = 60_000

/**
 * Runs work that comes in steps, letting others in between.
 * @param deadline milliseconds
 * @throws GitError `limit` when it takes longer
 */
export async function inTime<T>(steps: Generator<void, T, undefined>, deadline = DEFAULT_DEADLINE): Promise<T> {
  const end = performance.now() + deadline
  let step = steps.next()
  while (!step.done) {
    if (isDue()) {
      if (performance.now() > end) throw new GitError('limit', `Cannot merge: it takes longer than ${deadline} ms`)
      await breathe()
    }
    step = steps.next()
  }
  return step.value
}
