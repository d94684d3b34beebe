import { Unauthorized } from '#kernel/errors.ts'

/** Says the same of a name that nobody has, a wrong password and a token that is gone. */
export function wrongCredentials(): Unauthorized {
  return new Unauthorized('invalid username, password or token')
}

/** The request's `Authorization`, parsed once for all methods. */
export interface Authorization {
  /** In lower case. */
  scheme: string
  value: string
}

/** Undefined when there is none, or nothing follows its scheme. */
export function authorizationIn({ headers }: Request): Authorization | undefined {
  const header = headers.get('authorization')
  const space = header?.indexOf(' ') ?? -1
  return !header || space <= 0 ? undefined : { scheme: header.slice(0, space).toLowerCase(), value: header.slice(space + 1).trim() }
}

/** Parses the query only when the name occurs at all: most requests carry no credential there. */
export function queryValue(url: string, name: string): string | undefined {
  const at = url.indexOf('?')
  if (at < 0 || !url.includes(`${name}=`, at)) return undefined
  return new URLSearchParams(url.slice(at + 1)).get(name) ?? undefined
}
