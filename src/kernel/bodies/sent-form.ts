/** Texts of a form as a browser sent it, by the names of its fields. */
export type Sent = ReadonlyMap<string, readonly string[]>

const forms = new WeakMap<Request, () => Sent | Promise<Sent>>()

/** Remembers what was filled in, for as long as the request is answered: who is refused gets it back to mend it. */
export function rememberSent(request: Request, read: () => Sent | Promise<Sent>): void {
  forms.set(request, read)
}

/** What was filled in; undefined when nothing was, the gate did not let the request in, or it cannot be read. */
export async function fieldsSent(request: Request): Promise<Sent | undefined> {
  try {
    return await forms.get(request)?.()
  } catch {
    return undefined
  }
}
