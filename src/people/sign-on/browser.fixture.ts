import type { TestForge } from '../../../test/harness.ts'

/** A browser with cookies of its own, at `http://localhost`. */
export class Browser {
  readonly #forge: TestForge
  readonly #cookies = new Map<string, string>()

  constructor(forge: TestForge) {
    this.#forge = forge
  }

  get(address: string): Promise<Page> {
    return this.#send(address, {})
  }

  post(path: string, fields: Record<string, string> = {}): Promise<Page> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { Origin: 'http://localhost' } })
  }

  /** Who is signed in, by what the page of settings has in it; undefined: nobody. */
  async user(): Promise<string | undefined> {
    const { text } = await this.get('/explore/repos')
    return /Signed in as <strong>([^<]+)</.exec(text)?.[1]
  }

  async #send(address: string, init: RequestInit): Promise<Page> {
    const Cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Accept: 'text/html', Cookie, ...(init.headers as Record<string, string>) }
    const response = await this.#forge.app.handle(new Request(new URL(address, 'http://localhost').href, { ...init, headers }))
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] as string).split('=')
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text(), cookies: response.headers.getSetCookie() }
  }
}

export interface Page {
  status: number
  location: string
  text: string
  cookies: readonly string[]
}
