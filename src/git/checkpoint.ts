import { breathe, isDue } from '#kernel/breathe.ts'

/** Called between two steps of long work: where it may be cancelled, and where it gives way to others. A promise has to be awaited. */
export type Checkpoint = () => Promise<void> | undefined

/** A checkpoint that gives way when the thread has been busy for a while; it throws the reason of `signal`, if there is one, once that is aborted. */
export function checkpointOf(signal?: AbortSignal): Checkpoint {
  return () => {
    if (!isDue()) return undefined
    signal?.throwIfAborted()
    return breathe()
  }
}

/** Does one thing after the other for as many as a client may name, and gives way to others between them. */
export async function inTurns<T>(items: Iterable<T>, checkpoint: Checkpoint, work: (item: T) => void): Promise<void> {
  for (const item of items) {
    work(item)
    const wait = checkpoint()
    if (wait) await wait
  }
}
