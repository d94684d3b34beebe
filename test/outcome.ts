/**
 * What comes of some work, as a function that returns or throws it: `expect(await outcome(work)).toThrow('gone')`. Bun's own
 * `expect(work).rejects` runs the event loop within the turn that asks: what other messages of that turn would bring never comes.
 */
export async function outcome<T>(work: T | Promise<T>): Promise<() => T> {
  try {
    const value = await work
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** What some work fails with. @throws Error when it does not */
export async function rejection(work: unknown): Promise<unknown> {
  let value: unknown
  try {
    value = await work
  } catch (error) {
    return error
  }
  throw new Error(`Expected a failure, got ${Bun.inspect(value)}`)
}
