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

/** Who wants to go on, in the order of asking. */
const waiting: (() => void)[] = []

/**
 * Lets waiting messages in; resolves on a later turn of the event loop, of which each work that breathes has one to itself: were all to go on
 * in the same, messages would wait for all of them.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next)
  })
}

function next(): void {
  const goOn = waiting.shift()
  if (waiting.length > 0) setImmediate(next)
  awake()
  goOn?.()
}
