import type { Viewer } from './viewer.ts'

/**
 * Requests that a page makes itself, to show what somebody else would be shown, and as whom. They never come from outside: only who holds
 * the very request can be taken for somebody by it, and the gate looks here for pages that are asked for with `GET` alone.
 */
export class PlayedViewers {
  readonly #viewers = new WeakMap<Request, Viewer>()

  play(request: Request, viewer: Viewer): void {
    this.#viewers.set(request, viewer)
  }

  of(request: Request): Viewer | undefined {
    return request.method === 'GET' ? this.#viewers.get(request) : undefined
  }
}
