import { breathe, isDue } from '#kernel/breathe.ts'

/** Work that may be long, and returns what comes of it: it yields where others should have their turn. */
export type Steps<T> = Generator<void, T, undefined>

/** Runs a generator to its end and returns what it returns; lets others have their turn in between. @throws what the signal's reason is */
export async function runSteps<T>(steps: Generator<unknown, T, undefined>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (isDue()) await breathe()
    signal?.throwIfAborted()
  }
}

/** The same at once, for what is known to be short. */
export function finish<T>(steps: Generator<unknown, T, undefined>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
