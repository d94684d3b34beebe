import type { Viewer } from '../viewer.ts'
import type { AccessTokens } from './access-tokens.ts'
import { type Authorization, wrongCredentials } from './credentials.ts'
import type { SignInMethod, SignInOptions } from './sign-in-method.ts'

/** `Authorization: token X` and `Authorization: Bearer X`. */
export class HeaderToken implements SignInMethod {
  readonly #tokens: AccessTokens

  constructor(tokens: AccessTokens) {
    this.#tokens = tokens
  }

  viewerOf(_: Request, __: SignInOptions, authorization: Authorization | undefined): Viewer | Promise<Viewer> | undefined {
    const { scheme, value = '' } = authorization ?? {}
    return scheme === 'token' || scheme === 'bearer' ? held(this.#tokens.find(value)) : undefined
  }
}

/** @throws Unauthorized */
function held(found: Viewer | undefined | Promise<Viewer | undefined>): Viewer | Promise<Viewer> {
  if (found instanceof Promise) return found.then(held)
  if (!found) throw wrongCredentials()
  return found
}
