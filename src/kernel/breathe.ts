import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Long work shares its thread: a worker serves several pushes and fetches at once, and the main thread all requests. So every loop that may run for more
 * than a few milliseconds asks `isDue()` at each step, and awaits `breathe()` when it is.
 */
const SLICE_MS = 5
let since = performance.now()

/** Whether the thread has worked for a slice without letting anybody else in. */
export function isDue(): boolean {
  return performance.now() - since > SLICE_MS
}

/** Says that a new slice begins: call it where a thread that had nothing to do gets a message, for the time that it rested is not work. */
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

/** Within `untilAborted`, work counts as long once it has breathed so often. */
const LONG = 10
/** Those who want to go on, first come, first served. Long work has a line of its own, and the two lines alternate: many long pieces slow short ones by half. */
const waiting: (() => void)[] = []
const waitingLong: (() => void)[] = []
let isLongNext = false

export function areOthersWaiting(): boolean {
  return waiting.length + waitingLong.length > 0
}

/**
 * Lets messages and timers in, and resolves in a later turn of the event loop. Only one of those who breathe goes on in each turn: if all did, messages would
 * wait for all of them.
 * @throws the signal's reason, within `untilAborted`
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
