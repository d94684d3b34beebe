import { AsyncLocalStorage } from 'node:async_hooks'
import { ClientGone } from './errors.ts'

const current = new AsyncLocalStorage<Asker>()

/**
 * Those for whom something is worked out. Work that nobody waits for any longer may end: what reads, that is; nothing that writes ever asks, nor what is begun in the background.
 * Requests that read have one each, and what several of them wait for has one of its own, which they join.
 */
export class Asker {
  readonly #first: { readonly signal: AbortSignal } | undefined
  #stop: AbortController | undefined
  #waiting = 0

  /** @param first whoever asks first, a request say */
  constructor(first?: { readonly signal: AbortSignal }) {
    this.#first = first
  }

  /** Says that all have left. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whoever works for `asker` waits for it, too. Undefined: somebody who stays to the end. */
  join(asker: Asker | undefined): void {
    this.#await(this.#controller, asker?.signal)
  }

  /** Made once somebody wants it: most requests are answered before that. */
  get #controller(): AbortController {
    if (this.#stop) return this.#stop
    this.#stop = new AbortController()
    if (this.#first) this.#await(this.#stop, this.#first.signal)
    return this.#stop
  }

  #await(stop: AbortController, signal: AbortSignal | undefined): void {
    this.#waiting++
    const leave = () => {
      if (--this.#waiting === 0) stop.abort(new ClientGone())
    }
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  }
}

/** Does something for somebody, and whatever follows from it. */
export function onBehalfOf<T>(asker: Asker, work: () => T): T {
  return current.run(asker, work)
}

/** Does something to its end, whoever it was that gave rise to it: what is noted, and what others come upon later. */
export function inAnyCase<T>(work: () => T): T {
  return current.exit(work)
}

/** For whom this is done; undefined where it is done in any case. */
export function currentAsker(): Asker | undefined {
  return current.getStore()
}
