import type { Config } from '#config.ts'
import { Unauthorized } from '#kernel/errors.ts'
import type { Viewer } from '../viewer.ts'
import type { AccessTokens } from './access-tokens.ts'
import { queryValue, wrongCredentials } from './credentials.ts'
import type { SignInMethod } from './sign-in-method.ts'

/** `?token=X` and `?access_token=X`: deprecated, since addresses end up in logs. */
export class QueryToken implements SignInMethod {
  readonly #config: Config
  readonly #tokens: AccessTokens

  constructor(config: Config, tokens: AccessTokens) {
    this.#config = config
    this.#tokens = tokens
  }

  viewerOf({ url }: Request): Viewer | Promise<Viewer> | undefined {
    const token = queryValue(url, 'token') ?? queryValue(url, 'access_token')
    if (!token) return undefined
    if (this.#config.security.DISABLE_QUERY_AUTH_TOKEN)
      throw new Unauthorized('tokens in the query string are not accepted; send the token in the Authorization header')
    const found = this.#tokens.find(token)
    return found instanceof Promise ? found.then(marked) : marked(found)
  }
}

/** @throws Unauthorized */
function marked(viewer: Viewer | undefined): Viewer {
  if (!viewer) throw wrongCredentials()
  return { ...viewer, queryToken: true }
}
