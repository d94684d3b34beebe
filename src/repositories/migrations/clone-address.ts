import { Unprocessable } from '#kernel/errors.ts'
import { type HostList, isAllowedHost } from '#outbound/network/index.ts'

/** Where a repository is imported from. */
export interface CloneSource {
  /** `http:` or `https:`, without credentials and without a slash at the end. */
  url: URL
  /** The value of the Authorization header, if the request has credentials. */
  authorization: string | undefined
}

export interface Credentials {
  username?: string | undefined
  password?: string | undefined
  token?: string | undefined
}

/**
 * Parses the address of a repository on another server. Credentials in the address move to the Authorization header, so that nothing stores or shows
 * them.
 * @throws Unprocessable if the address is invalid or its host is not allowed (Gitea's messages). The guarded client checks resolved addresses later.
 */
export function parseCloneSource(text: string, credentials: Credentials, policy: HostList): CloneSource {
  const url = /^https?:\/\/[^/]/i.test(text) && !/[\0-\x20\x7f\\]/.test(text) ? URL.parse(text) : null
  if (!url && /^(?:\/|file:|\.\.?\/)/i.test(text)) throw new Unprocessable('You are not allowed to import local repositories.')
  if (!url) throw new Unprocessable(`Clone address "${text.slice(0, 200)}" is invalid: expected a URL that starts with http:// or https://`)
  if (!isAllowedHost(url.hostname, policy)) throw new Unprocessable('You can not import from disallowed hosts.')
  const authorization = authorizationOf(url, credentials)
  url.username = url.password = url.search = url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return { url, authorization }
}

function authorizationOf(url: URL, { username, password, token }: Credentials): string | undefined {
  // Gitea and GitHub accept a token as the password of any user.
  if (token) return basic(username || 'oauth2', token)
  if (username || password) return basic(username ?? '', password ?? '')
  if (url.username === '' && url.password === '') return undefined
  try {
    return basic(decodeURIComponent(url.username), decodeURIComponent(url.password))
  } catch (cause) {
    throw new Unprocessable('The credentials in the clone address are not percent-encoded UTF-8', { cause })
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
