import type { Context } from '#context.ts'
import { messageOf, Problem } from '#kernel/errors.ts'
import { Unreachable } from '#outbound/network/index.ts'
import { SignOnRefused } from './protocol.ts'

/** What the library throws carries these. */
interface LibraryError extends Error {
  code: string
  /** Of an answer that is an error by OAuth's own words: RFC 6749, section 4.1.2.1. */
  error?: unknown
}

/** Codes that say that the site, not whoever came from it, is not as it should be. */
const siteFailures = [
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
]

/**
 * What went wrong at another site, for people to read; the log gets what it was. Nothing that the site said is repeated: whoever sent
 * the browser here may have written it.
 * @throws whatever is no matter of the site's
 */
export function refusalOf({ log }: Pick<Context, 'log'>, site: string, error: unknown): Problem {
  const problem = asProblem(site, error)
  log.warn(`sign-in with ${JSON.stringify(site)} failed`, { reason: reasonOf(error) })
  return problem
}

function asProblem(site: string, error: unknown): Problem {
  if (error instanceof Unreachable) return new Problem(502, `${site} returned an invalid response or is unavailable. Try again later.`, { cause: error })
  if (error instanceof SignOnRefused) return new SignOnRefused(`The response of ${site} could not be verified. Start again.`, error)
  if (error instanceof Problem && (error.status < 500 || error.status === 503)) return error
  if (!isOfLibrary(error)) throw error
  if (error.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return declined(site, error)
  if (siteFailures.includes(error.code)) return new Problem(502, `${site} returned an invalid response or is unavailable. Try again later.`, { cause: error })
  return new SignOnRefused(`The response of ${site} could not be verified. Start again.`, error)
}

/** The site said no to the browser that it sent back. */
function declined(site: string, error: LibraryError): Problem {
  if (error.error === 'access_denied') return new SignOnRefused(`${site} was not authorized to share your identity.`, error)
  if (error.error === 'temporarily_unavailable' || error.error === 'server_error')
    return new Problem(503, `${site} is temporarily unavailable. Try again later.`, { cause: error })
  return new SignOnRefused(`${site} did not sign you in.`, error)
}

function isOfLibrary(error: unknown): error is LibraryError {
  return error instanceof Error && /^OAUTH_|^ERR_INVALID_ARG/.test(String((error as Partial<LibraryError>).code))
}

/** Messages alone: what hangs on the errors are tokens and people's data. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown }
  const said = isOfLibrary(error) && typeof error.error === 'string' ? ` (${error.error.slice(0, 100)})` : ''
  return `${messageOf(error)}${said}${cause instanceof Error ? ` ← ${messageOf(cause)}` : ''}`
}
