import { breathe, isDue } from '../workers/breathe.ts'

/** Called between two steps of long work; a promise means "wait for me". */
export type Pulse = () => Promise<void> | undefined

/** Lets others have the thread now and then, and stops the work when `signal` says so. */
export function pulseOf(signal: AbortSignal | undefined): Pulse {
  return () => {
    if (!isDue()) return undefined
    signal?.throwIfAborted()
    return breathe()
  }
}
