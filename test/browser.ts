import type { Person, TestForge } from './harness.ts'

export interface PageReply {
  status: number
  text: string
  headers: Headers
}

/** What a browser does without running scripts: asks for pages, posts forms from them, and keeps the cookies that it is given. */
export class TestBrowser {
  readonly #forge: TestForge
  readonly #cookies = new Map<string, string>()

  /** @param person who is signed in; nobody when absent */
  constructor(forge: TestForge, person?: Person) {
    this.#forge = forge
    if (person) this.#keep(forge.context.authenticator.sessions.begin(person.row, new Request('http://localhost/')))
  }

  get(path: string): Promise<PageReply> {
    return this.#send(path, {})
  }

  /** A form's fields; several of one name as a list. With files it is sent as multipart. */
  post(path: string, fields: Record<string, string | string[]> = {}, files?: readonly File[], headers: Record<string, string> = {}): Promise<PageReply> {
    const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    const form = new FormData()
    for (const [name, value] of pairs) form.append(name, value)
    for (const file of files ?? []) form.append('attachment', file)
    const body = files === undefined ? new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])) : form
    return this.#send(path, { method: 'POST', body, headers: { Origin: 'http://localhost', ...headers } })
  }

  /** Which tell who it is. */
  get headers(): Record<string, string> {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return cookies === '' ? {} : { Cookie: cookies }
  }

  async #send(path: string, init: RequestInit): Promise<PageReply> {
    const headers = { Accept: 'text/html', ...this.headers, ...(init.headers as Record<string, string>) }
    const response = await this.#forge.app.handle(new Request(`http://localhost${path}`, { ...init, headers }))
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  /** @param header the value of `Set-Cookie` */
  #keep(header: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
    if (value === '') this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
