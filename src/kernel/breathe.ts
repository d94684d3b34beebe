/**
 * Long work shares its thread: a worker serves several pushes and fetches at once, so every loop that may run
 * for more than a few milliseconds asks `isDue()` now and then and awaits `breathe()` when it is.
 */
const SLICE_MS = 12
let since = performance.now()

export function isDue(): boolean {
  return performance.now() - since > SLICE_MS
}

/** A turn of the event loop begins: what a thread did before it rested does not count. */
export function awake(): void {
  since = performance.now()
}

/** Lets waiting messages in; resolves on the next turn of the event loop. */
export function breathe(): Promise<void> {
  return new Promise((resolve) =>
    setImmediate(() => {
      awake()
      resolve()
    }),
  )
}
