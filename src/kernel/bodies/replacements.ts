import { pathOf } from '../http.ts'
import { KeyedMutex } from '../keyed-mutex.ts'

/** Serializes submitted forms by their address, so that no form is compared with values that another form is about to replace. */
export class Replacements {
  readonly #mutex = new KeyedMutex<string>()
  readonly #releases = new WeakMap<Request, () => void>()

  /** Waits for earlier forms to the same address. The caller must call `end`, also when the request fails. */
  async begin(request: Request): Promise<void> {
    this.#releases.set(request, await this.#mutex.acquire(pathOf(request.url)))
  }

  /** Lets the next form continue. */
  end(request: Request): void {
    this.#releases.get(request)?.()
  }
}
