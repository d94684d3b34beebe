/** Why somebody is told of something, the most pressing first. */
export const reasons = ['offered', 'review_requested', 'assigned', 'mentioned', 'reviewed', 'author', 'subscribed', 'participating', 'watching'] as const
export type Reason = (typeof reasons)[number]

/** Somebody who is to be told, and why. */
export interface Told {
  userId: number
  reason: Reason
}

/** For each person the most pressing of their reasons that they have not switched off. */
export function pressing(told: readonly Told[], isMuted: (one: Told) => boolean): Map<number, Reason> {
  const best = new Map<number, Reason>()
  for (const { userId, reason } of told.filter((one) => !isMuted(one))) {
    const known = best.get(userId)
    if (known === undefined || reasons.indexOf(reason) < reasons.indexOf(known)) best.set(userId, reason)
  }
  return best
}
