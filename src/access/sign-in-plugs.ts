import { noPasswordSources, type PasswordSources } from './password-source.ts'
import type { ProxyAccounts } from './proxy-accounts.ts'
import { noSecondFactors, type SecondFactors } from './second-factor.ts'
import type { Viewer } from './viewer.ts'

/** Knows tokens that are none of the store's own table: those of OAuth2 applications, of running jobs. */
export interface AccessTokenSource {
  /** Who holds the token and what it grants; undefined when it is none of the source's, over or revoked. Best without a promise. */
  find(token: string): Viewer | undefined | Promise<Viewer | undefined>
}

/** What rooms above this district have to say about who signs in; put in from their `attach`. */
export interface SignInPlugs {
  passwordSources: PasswordSources
  secondFactors: SecondFactors
  /** Undefined: none are made. */
  proxyAccounts: ProxyAccounts | undefined
  readonly accessTokens: AccessTokenSource[]
}

export function noPlugs(): SignInPlugs {
  return { passwordSources: noPasswordSources, secondFactors: noSecondFactors, proxyAccounts: undefined, accessTokens: [] }
}
