import type { Context } from '#context.ts'

/**
 * What upkeep puts off: looking after a repository at all, where that fails; dropping its garbage, for which nobody else may be in and no ref may move;
 * and walking its history for what is derived of it, where something is damaged. Each time it is put off for longer.
 */
export type Work = 'visit' | 'drop' | 'derive'

const FIRST_SECONDS = 60
const LONGEST_SECONDS = 24 * 3600

interface Postponed {
  times: number
  /** In seconds since 1970. */
  until: number
}

class Postponements {
  /** By repository. */
  readonly visit = new Map<number, Postponed>()
  readonly drop = new Map<number, Postponed>()
  readonly derive = new Map<number, Postponed>()
}

export function isDue(context: Pick<Context, 'clock' | 'services'>, work: Work, repoId: number): boolean {
  return (context.services.get(Postponements)[work].get(repoId)?.until ?? 0) <= context.clock.seconds()
}

/** Twice as long as the last time. */
export function add(context: Pick<Context, 'clock' | 'services'>, work: Work, repoId: number): void {
  const all = context.services.get(Postponements)[work]
  const times = (all.get(repoId)?.times ?? 0) + 1
  const seconds = Math.min(FIRST_SECONDS * 2 ** (times - 1), LONGEST_SECONDS)
  all.set(repoId, { times, until: context.clock.seconds() + seconds })
}

export function forget(context: Pick<Context, 'services'>, work: Work, repoId: number): void {
  context.services.get(Postponements)[work].delete(repoId)
}
