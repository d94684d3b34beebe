import type { Context } from '#context.ts'

/** Repositories that could not be looked after: others were in, refs moved, or something is damaged. Each time they are left alone for longer. */

const FIRST_SECONDS = 60
const LONGEST_SECONDS = 24 * 3600

interface Postponed {
  times: number
  /** In seconds since 1970. */
  until: number
}

class Postponements {
  readonly byRepo = new Map<number, Postponed>()
}

export function isDue(context: Pick<Context, 'clock' | 'services'>, repoId: number): boolean {
  return (context.services.get(Postponements).byRepo.get(repoId)?.until ?? 0) <= context.clock.seconds()
}

/** Twice as long as the last time. */
export function add(context: Pick<Context, 'clock' | 'services'>, repoId: number): void {
  const { byRepo: all } = context.services.get(Postponements)
  const times = (all.get(repoId)?.times ?? 0) + 1
  const seconds = Math.min(FIRST_SECONDS * 2 ** (times - 1), LONGEST_SECONDS)
  all.set(repoId, { times, until: context.clock.seconds() + seconds })
}

export function forget(context: Pick<Context, 'services'>, repoId: number): void {
  context.services.get(Postponements).byRepo.delete(repoId)
}
