import { pathOf } from '../http.ts'
import { KeyedMutex } from '../keyed-mutex.ts'

/** Lets forms that are sent to the same address wait for each other: none is checked against what another is about to replace. */
export class Replacements {
  readonly #mutex = new KeyedMutex<string>()
  readonly #releases = new WeakMap<Request, () => void>()

  /** Waits for the forms before. Whoever begins ends, whatever becomes of the request. */
  async begin(request: Request): Promise<void> {
    this.#releases.set(request, await this.#mutex.acquire(pathOf(request.url)))
  }

  /** Lets the next one go on. */
  end(request: Request): void {
    this.#releases.get(request)?.()
  }
}
