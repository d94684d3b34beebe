/**
 * What rooms keep in memory while a server runs, caches and what is under way: one of each class, made when it is first asked
 * for and disposed of with the server. Two servers in one process share none.
 */
export class Services<Context> implements AsyncDisposable {
  readonly #context: () => Context
  readonly #made = new Map<new (context: Context) => unknown, unknown>()

  /** @param context asked for with the first service, since it holds this itself */
  constructor(context: () => Context) {
    this.#context = context
  }

  get<Service>(kind: new (context: Context) => Service): Service {
    const known = this.#made.get(kind)
    if (known !== undefined) return known as Service
    const made = new kind(this.#context())
    this.#made.set(kind, made)
    return made
  }

  /** Disposes of those that can be, the last made first. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const made of [...this.#made.values()].reverse() as Partial<Disposable & AsyncDisposable>[]) {
      made[Symbol.dispose]?.()
      await made[Symbol.asyncDispose]?.()
    }
    this.#made.clear()
  }
}
