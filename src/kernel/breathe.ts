import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Long work shares its thread: a worker serves several pushes and fetches at once, so every loop that may run
 * for more than a few milliseconds asks `isDue()` now and then and awaits `breathe()` when it is.
 */
const SLICE_MS = 5
let since = performance.now()

export function isDue(): boolean {
  return performance.now() - since > SLICE_MS
}

/** A turn of the event loop begins: what a thread did before it rested does not count. */
export function awake(): void {
  since = performance.now()
}

const ending = new AsyncLocalStorage<AbortSignal>()

/** Does work that ends with its next breath once `signal` is given. For what only reads: it ends wherever it breathes. */
export function untilAborted<T>(signal: AbortSignal, work: () => T): T {
  return ending.run(signal, work)
}

/** Who wants to go on, in the order of asking. */
const waiting: (() => void)[] = []

export function areOthersWaiting(): boolean {
  return waiting.length > 0
}

/**
 * Lets waiting messages in; resolves on a later turn of the event loop, of which each work that breathes has one to itself: were all to go on
 * in the same, messages would wait for all of them.
 * @throws what the signal's reason is, within `untilAborted`
 */
export function breathe(): Promise<void> {
  const signal = ending.getStore()
  return new Promise((resolve, reject) => {
    const goOn = () => (signal?.aborted ? reject(signal.reason) : resolve())
    if (waiting.push(goOn) === 1) setImmediate(next)
  })
}

function next(): void {
  const goOn = waiting.shift()
  if (waiting.length > 0) setImmediate(next)
  awake()
  goOn?.()
}
