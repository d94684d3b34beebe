/**
 * What `work` comes to, or `otherwise` when it takes longer than `ms` milliseconds. The timer ends with the wait: one that went on would keep a
 * server from stopping. @throws what `work` throws meanwhile
 */
export async function doneWithin<T>(work: Promise<T>, ms: number, otherwise: NoInfer<T>): Promise<T> {
  const { promise: over, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(otherwise), ms)
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until `work` is done, or for `ms` milliseconds when it takes longer. @throws what `work` throws meanwhile */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  await doneWithin(work, ms, undefined)
}
