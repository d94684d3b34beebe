import type { Config } from '#config.ts'
import { sha256Hex } from '#kernel/ids.ts'

/** What a cookie carries: 32 random bytes in hexadecimal. */
const secretShape = /^[0-9a-f]{64}$/

/**
 * The cookie of a signed-in browser. Cookies ignore ports, so its name tells the store it is for: two servers on one machine sign
 * nobody out of the other. Source: RFC 6265 and, for the `__Host-` prefix, its successor's draft, section 4.1.3.
 */
export class SessionCookie {
  readonly #name: string
  readonly #attributes: string

  /** @param purpose what the name ends with, of a cookie that is for something else */
  constructor({ dataPath, server }: Config, purpose = '') {
    const isSecure = server.ROOT_URL.startsWith('https:')
    this.#name = `${isSecure ? '__Host-' : ''}pocketforge_${sha256Hex(dataPath).slice(0, 8)}${purpose}`
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }

  /** What the request's cookie carries; undefined when it has none of ours. */
  secretIn({ headers }: Request): string | undefined {
    const cookies = headers.get('cookie')?.split(';') ?? []
    const found = cookies.map((one) => one.trim()).find((one) => one.startsWith(`${this.#name}=`))
    const secret = found?.slice(this.#name.length + 1)
    return secret !== undefined && secretShape.test(secret) ? secret : undefined
  }

  /** For `Set-Cookie`. */
  set(secret: string, seconds: number): string {
    return `${this.#name}=${secret}; Max-Age=${seconds}; ${this.#attributes}`
  }

  /** For `Set-Cookie`. */
  clear(): string {
    return `${this.#name}=; Max-Age=0; ${this.#attributes}`
  }
}
