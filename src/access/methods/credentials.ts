import { Unauthorized } from '#kernel/errors.ts'

/** Says the same of a name that nobody has, a wrong password and a token that is gone. */
export function wrongCredentials(): Unauthorized {
  return new Unauthorized('invalid username, password or token')
}

/** What follows the scheme in the request's `Authorization`; undefined when that has another scheme. @param schemes in lower case */
export function authorizationOf({ headers }: Request, ...schemes: string[]): string | undefined {
  const header = headers.get('authorization')
  const space = header?.indexOf(' ') ?? -1
  if (!header || space <= 0 || !schemes.includes(header.slice(0, space).toLowerCase())) return undefined
  return header.slice(space + 1).trim()
}

/** Parses the query only when the name occurs at all: most requests carry no credential there. */
export function queryValue(url: string, name: string): string | undefined {
  const at = url.indexOf('?')
  if (at < 0 || !url.includes(`${name}=`, at)) return undefined
  return new URLSearchParams(url.slice(at + 1)).get(name) ?? undefined
}
