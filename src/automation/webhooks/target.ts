import type { Config } from '#config.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { allowedTargets, type HostList, isAllowedHost, kindOfHost } from '#outbound/network/index.ts'

/** Where deliveries go. */
export interface Target {
  /** `http:` or `https:`, without credentials. */
  url: string
  /** The Authorization header that credentials in the address stand for. */
  authorization?: string
}

/**
 * Judges the address of a hook as far as that goes without asking DNS; threats.md §1.6. What a name leads to is checked at
 * delivery, by the same policy. Credentials move from the address, which answers show, to the header, which they do not.
 * @throws Unprocessable
 */
export function parseTarget(text: string, policy: HostList): Target {
  if (/[\0-\x20\x7f\\]/.test(text)) throw badTarget('the URL contains spaces, backslashes or control characters')
  const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null
  if (!url) throw badTarget('expected a URL that starts with http:// or https://')
  refuseHost(url.hostname, policy)
  if (url.username === '' && url.password === '') return { url: text }
  const authorization = basic(url)
  url.username = ''
  url.password = ''
  return { url: url.href, authorization }
}

/** What a hook may reach that somebody sets who does, or does not, administer the site; DESIGN.md, decision 16. */
export function targetPolicy({ server, webhook }: Config, isSetByAdmin: boolean): HostList {
  return allowedTargets(webhook.ALLOWED_HOST_LIST, server, isSetByAdmin)
}

function refuseHost(host: string, policy: HostList): void {
  if (isAllowedHost(host, policy)) return
  const kind = kindOfHost(host)
  if (kind === 'special') throw badTarget(`"${host}" is in an address range that webhooks cannot reach`)
  throw badTarget(kind === 'loopback' ? `"${host}" is the server itself` : `"${host}" is not allowed by webhook.ALLOWED_HOST_LIST`)
}

function basic({ username, password }: URL): string {
  try {
    return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  } catch (cause) {
    throw badTarget('the credentials in the URL are not percent-encoded UTF-8', cause)
  }
}

function badTarget(reason: string, cause?: unknown): Unprocessable {
  return new Unprocessable(`[config.url]: ${reason}`, { cause })
}
