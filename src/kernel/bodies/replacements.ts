import { ClientGone } from '../errors.ts'
import { pathOf } from '../http.ts'
import { KeyedMutex } from '../keyed-mutex.ts'

/** Serializes submitted forms by their address, so that no form is compared with values that another form is about to replace. */
export class Replacements {
  readonly #mutex = new KeyedMutex<string>()
  readonly #releases = new WeakMap<Request, () => void>()

  /**
   * Waits for earlier forms to the same address, of each sender at most one. The caller must call `end`, also when the request fails.
   * @throws ClientGone when the sender has left meanwhile
   */
  async begin(request: Request, sender: string): Promise<void> {
    const path = pathOf(request.url)
    const releaseOwn = await this.#mutex.acquire(`${path} ${sender}`)
    const release = await this.#mutex.acquire(path)
    this.#releases.set(request, () => {
      release()
      releaseOwn()
    })
    if (request.signal.aborted) throw new ClientGone()
  }

  /** Lets the next form continue. */
  end(request: Request): void {
    this.#releases.get(request)?.()
  }
}
