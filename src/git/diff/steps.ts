import { breathe, isDue } from '#kernel/breathe.ts'

/** Runs a generator to its end and returns what it returns; lets others have their turn in between. @throws what the signal's reason is */
export async function runSteps<T>(steps: Generator<unknown, T, undefined>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (isDue()) await breathe()
    signal?.throwIfAborted()
  }
}
