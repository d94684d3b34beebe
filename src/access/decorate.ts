import type { Context } from '#context.ts'
import { GitError, isLoss } from '#git/errors.ts'
import { Problem } from '#kernel/errors.ts'
import { KeptPages } from './kept-pages.ts'

/**
 * Makes a part that a page can do without, such as colors, last commits or counts. When `work` fails, the page shows `fallback` in its place and
 * the response cache keeps the page only for a moment. Limits and overload are expected; any other error is logged.
 * @param part for the log: `last commits`
 */
export async function decorate<T>(
  { log, services }: Pick<Context, 'log' | 'services'>,
  part: string,
  work: () => T | Promise<T>,
  fallback: Awaited<T>,
): Promise<Awaited<T>> {
  try {
    return await work()
  } catch (error) {
    const isExpected = error instanceof Problem || (error instanceof GitError && !isLoss(error))
    if (!isExpected) log.error('part of a page failed; the page was shown without it', error, { part })
    services.get(KeptPages).leaveOut()
    return fallback
  }
}
