/** Parameters of a request to the authorization server. Source: RFC 6749, sections 3.1 and 3.2: an empty one counts as left out, and none is sent twice. */
export class Parameters {
  readonly #values = new Map<string, string>()
  /** The name of one that was sent several times. */
  readonly repeated: string | undefined

  constructor(entries: Iterable<readonly [string, string]>) {
    for (const [name, value] of entries) {
      if (value === '') continue
      if (this.#values.has(name)) this.repeated ??= name
      else this.#values.set(name, value)
    }
  }

  get(name: string): string | undefined {
    return this.#values.get(name)
  }
}
