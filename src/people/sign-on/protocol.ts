import type { Clock } from '#kernel/clock.ts'
import { Problem } from '#kernel/errors.ts'
import type { GuardedClient, HostList, OutboundAnswer } from '#outbound/network/index.ts'
import type { SourceOf } from '#people/sources/index.ts'

/** A person as another site, which has just signed them in, tells of them. */
export interface ExternalIdentity {
  /** Whose word it is; what two issuers call by one subject are two people. */
  issuer: string
  /** What the issuer calls them, always and nobody else. */
  subject: string
  nickname: string
  preferredUsername: string
  email: string
  /** Whether the issuer says that the address is theirs; undefined when it says nothing of that. */
  isEmailVerified: boolean | undefined
  fullName: string
  /** Address of their picture; it may be anything. */
  picture: string
  /** All that was said of them. */
  claims: Readonly<Record<string, unknown>>
}

/** What only the browser that began, and this server, know of one sign-in. */
export interface AttemptSecrets {
  state: string
  nonce: string
  /** Of PKCE, RFC 7636. */
  verifier: string
}

/** Another site that people are sent to and come back from. */
export interface Provider {
  /** Where the browser is sent. @throws Problem when the site cannot be asked */
  addressFor(secrets: AttemptSecrets, redirectUri: string): Promise<string>
  /** Who came back. @throws SignOnRefused, or Problem when the site cannot be asked */
  identify(params: URLSearchParams, secrets: AttemptSecrets, redirectUri: string): Promise<ExternalIdentity>
}

/** What a provider needs to ask its site. */
export interface ProviderContext {
  source: SourceOf<'oauth2'>
  client: GuardedClient
  /** What may be reached of an address that the site, not the administrator, named. */
  policy: (url: URL) => HostList
  /** Replaces the scopes of OpenID sources; empty: it does not. */
  scopes: readonly string[]
  clock: Clock
}

/** 401: what came back from the other site does not show who is there. Its cause is for the log. */
export class SignOnRefused extends Problem {
  constructor(message: string, cause?: unknown) {
    super(401, message, { cause })
  }
}

/** In which each answer must be here. */
const SECONDS = 10
const MAX_BYTES = 524_288

/** Asks the site within the limits that hold for everything of signing in. */
export function askSite(
  { client, policy, source }: ProviderContext,
  url: string,
  request: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<OutboundAnswer> {
  const method = request.method === 'POST' ? 'POST' : 'GET'
  return client.request(url, { ...request, method, policy, seconds: SECONDS, maxBytes: MAX_BYTES, authorities: source.config.tls_ca })
}

/** The scopes in a source's settings: with spaces or commas between them. */
export function scopesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((one) => one !== '')
}
