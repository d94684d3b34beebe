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

interface Work {
  signal: AbortSignal
  breaths: number
}

const current = new AsyncLocalStorage<Work>()

/** Does work that ends with its next breath once `signal` is given. For what only reads: it ends wherever it breathes. */
export function untilAborted<T>(signal: AbortSignal, work: () => T): T {
  return current.run({ signal, breaths: 0 }, work)
}

/** Work that has breathed so often is long. */
const LONG = 10
/** Who wants to go on, in the order of asking, and apart from them those whose work is long: together they have every other turn. */
const waiting: (() => void)[] = []
const waitingLong: (() => void)[] = []
let isLongNext = false

export function areOthersWaiting(): boolean {
  return waiting.length + waitingLong.length > 0
}

/**
 * Lets waiting messages in; resolves on a later turn of the event loop, of which each work that breathes has one to itself: were all to go on
 * in the same, messages would wait for all of them.
 * @throws what the signal's reason is, within `untilAborted`
 */
export function breathe(): Promise<void> {
  const work = current.getStore()
  return new Promise((resolve, reject) => {
    if (!areOthersWaiting()) setImmediate(next)
    const turns = work && ++work.breaths > LONG ? waitingLong : waiting
    turns.push(() => (work?.signal.aborted ? reject(work.signal.reason) : resolve()))
  })
}

/** What `work` makes of each of `items`, one after another: others have their turn in between. */
export async function mapInTurns<Item, Made>(items: Iterable<Item>, work: (item: Item) => Made | Promise<Made>): Promise<Made[]> {
  const all: Made[] = []
  for (const item of items) {
    const made = work(item)
    all.push(made instanceof Promise ? await made : made)
    if (isDue()) await breathe()
  }
  return all
}

function next(): void {
  const isLong = waitingLong.length > 0 && (isLongNext || waiting.length === 0)
  isLongNext = !isLong
  const goOn = (isLong ? waitingLong : waiting).shift()
  if (areOthersWaiting()) setImmediate(next)
  awake()
  goOn?.()
}
