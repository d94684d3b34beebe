import { Memoirist } from 'memoirist'

/** Which part of the server answers a method at a path pattern (`/repos/:owner/:repo`, `/files/*`). */
export type RouteEntry = readonly [part: string, method: string, path: string]

/** Finds the part of the server that a request is for, by the patterns of all routes. */
export class RouteTable {
  readonly #router = new Memoirist<string>()
  readonly #methods: readonly string[]

  constructor(entries: readonly RouteEntry[]) {
    for (const [part, method, path] of entries) {
      this.#router.add(method, path, part)
      // Elysia answers with a slash at the end as without.
      if (!/[/*]$/.test(path)) this.#router.add(method, `${path}/`, part)
    }
    this.#methods = [...new Set(entries.map(([, method]) => method))]
  }

  /** @param path as requests have it, still encoded; HEAD is answered where GET is */
  find(method: string, path: string): string | undefined {
    const found = this.#router.find(method, path) ?? (method === 'HEAD' ? this.#router.find('GET', path) : null)
    return found?.store
  }

  /** The methods that something answers at this path. */
  methodsAt(path: string): string[] {
    return this.#methods.filter((method) => this.find(method, path) !== undefined)
  }
}
