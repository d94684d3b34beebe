import type { Config } from '#config.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import type { ClientAddresses } from '../client-address.ts'
import type { Viewer } from '../viewer.ts'
import type { Authorization } from './credentials.ts'
import type { SignInMethod, SignInOptions } from './sign-in-method.ts'
import type { SignatureVerifier } from './verify-signature.ts'

interface Parts {
  db: Database
  config: Config
  clock: Clock
  clients: ClientAddresses
}

/**
 * Requests that are signed with an SSH key, or with one that a certificate vouches for: `Signature: keyId="…",…`, or the same after
 * `Authorization: Signature`. Source: draft-cavage-http-signatures-12, as Gitea's SDK uses it.
 */
export class HttpSignature implements SignInMethod {
  readonly #parts: Parts
  /** Seconds since the epoch: what was used before that is not known any more. */
  readonly #since: number
  #verifier: Promise<SignatureVerifier> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#since = parts.clock.seconds()
  }

  viewerOf(request: Request, { withoutCodes }: SignInOptions, authorization: Authorization | undefined): Promise<Viewer> | undefined {
    // Git signs nothing.
    const text = withoutCodes ? undefined : signatureIn(request, authorization)
    if (text === undefined) return undefined
    // Asked for before anything is awaited: it is forgotten with the connection.
    const address = this.#parts.clients.of(request)
    this.#verifier ??= import('./verify-signature.ts').then((module) => new module.SignatureVerifier(this.#parts, this.#since))
    return this.#verifier.then((verifier) => verifier.viewerOf(request, text, address))
  }
}

/** Signatures of RFC 9421 have the same header, and another beside it; they are of things that nobody here asks about. */
function signatureIn({ headers }: Request, authorization: Authorization | undefined): string | undefined {
  const own = headers.get('signature')
  if (own !== null) return own.includes('keyId=') && !headers.has('signature-input') ? own : undefined
  return authorization?.scheme === 'signature' ? authorization.value : undefined
}
