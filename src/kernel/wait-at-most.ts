/**
 * Waits until `work` is done, or for `ms` milliseconds when it takes longer. The timer ends with the wait: one that went on would keep a
 * server from stopping. @throws what `work` throws meanwhile
 */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
