import type { Viewer } from '../viewer.ts'
import type { AccessTokens } from './access-tokens.ts'
import { authorizationOf, wrongCredentials } from './credentials.ts'
import type { SignInMethod } from './sign-in-method.ts'

/** `Authorization: token X` and `Authorization: Bearer X`. */
export class HeaderToken implements SignInMethod {
  readonly #tokens: AccessTokens

  constructor(tokens: AccessTokens) {
    this.#tokens = tokens
  }

  viewerOf(request: Request): Viewer | Promise<Viewer> | undefined {
    const token = authorizationOf(request, 'token', 'bearer')
    return token === undefined ? undefined : held(this.#tokens.find(token))
  }
}

/** @throws Unauthorized */
function held(found: Viewer | undefined | Promise<Viewer | undefined>): Viewer | Promise<Viewer> {
  if (found instanceof Promise) return found.then(held)
  if (!found) throw wrongCredentials()
  return found
}
