import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { messageOf } from '#kernel/errors.ts'
import type { SecurityKeyRow } from './key-store.ts'
import { requireWholeKey } from './public-key.ts'

/** COSE's numbers of EdDSA, ECDSA with SHA-256 on P-256, and RSA with SHA-256: what authenticators have. */
const algorithms = [-8, -7, -257]
const TIMEOUT_MS = 120_000
const MAX_REASON = 300

/** The server as a browser knows it: authenticators sign for one host, at one origin. */
export interface Site {
  /** A host without its port. */
  rpId: string
  origin: string
}

/** @param root the server's address as the browser reaches it */
export function siteOf(root: string): Site {
  const { hostname, origin } = new URL(root)
  return { rpId: hostname, origin }
}

/** Whom a key is made for. */
export interface KeyOwner {
  name: string
  fullName: string
  /** base64url */
  handle: string
}

/** What the page's script asks the browser for, to make a key: the members of `PublicKeyCredentialCreationOptions`, bytes as base64url. */
export function creationOptions({ rpId }: Site, challenge: string, { name, fullName, handle }: KeyOwner, present: readonly SecurityKeyRow[]) {
  return {
    challenge,
    rp: { id: rpId, name: 'Pocketforge' },
    user: { id: handle, name, displayName: fullName || name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: descriptorsOf(present),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  }
}

/**
 * The same to have a key sign.
 * @param keys that may; none for whichever passkey the person chooses
 * @param userVerification whether the authenticator must know its owner, by a finger or a PIN: as the only proof it must
 */
export function requestOptions({ rpId }: Site, challenge: string, keys: readonly SecurityKeyRow[], userVerification: 'required' | 'discouraged') {
  return { challenge, rpId, timeout: TIMEOUT_MS, allowCredentials: descriptorsOf(keys), userVerification }
}

function descriptorsOf(keys: readonly SecurityKeyRow[]) {
  return keys.map(({ credential_id, transports }) => ({ type: 'public-key', id: credential_id, transports: transports === '' ? [] : transports.split(',') }))
}

/** A key that was made just now; members as in its row. */
export type NewKey = Pick<SecurityKeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports'>

/**
 * What a browser answers when a key was made. Where it comes from is not asked (`attestation`): of vendors' certificates, which would
 * have to be looked up elsewhere, none is read.
 * @throws Error when it is not an answer to this challenge, at this site
 */
export async function checkNewKey(site: Site, challenge: string, answer: string): Promise<NewKey> {
  const response = JSON.parse(answer) as RegistrationResponseJSON
  const { verifyRegistrationResponse } = await library()
  refuseFrames(response)
  await refuseCertificates(response)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  })
  if (!verified || !registrationInfo) throw new Error('The attestation of the key is invalid')
  const { id, publicKey, counter } = registrationInfo.credential
  const { isoCBOR } = await import('@simplewebauthn/server/helpers')
  requireWholeKey(isoCBOR.decodeFirst<ReadonlyMap<number, unknown>>(publicKey))
  return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter, transports: transportsOf(response) }
}

/** What a key has signed. */
export interface Signature {
  /** As the key says. */
  counter: number
}

/**
 * What a browser answers when a key has signed.
 * @param mustKnowOwner as `userVerification` asked for
 * @throws Error when it is not an answer of this key to this challenge, at this site, or the key has counted backwards
 */
export async function checkSignature(site: Site, challenge: string, answer: string, key: SecurityKeyRow, mustKnowOwner: boolean): Promise<Signature> {
  const response = JSON.parse(answer) as AuthenticationResponseJSON
  refuseFrames(response)
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    credential: { id: key.credential_id, publicKey: new Uint8Array(Buffer.from(key.public_key, 'base64url')), counter: key.counter },
    requireUserVerification: mustKnowOwner,
  })
  if (!verified) throw new Error('The signature is invalid')
  return { counter: authenticationInfo.newCounter }
}

/** Why an answer was refused, for the log: what it says itself may be as long as it likes. */
export function reasonOf(error: unknown): string {
  return messageOf(error).slice(0, MAX_REASON)
}

/** Which key an answer says it is of, and whose. Both are only said: the signature is checked with what is stored of the key. */
export function claimOf(answer: string): { credentialId: string; handle: string | undefined } {
  const { id, response } = JSON.parse(answer) as { id?: unknown; response?: { userHandle?: unknown } | null }
  const handle = response?.userHandle
  return { credentialId: typeof id === 'string' ? id : '', handle: typeof handle === 'string' ? handle : undefined }
}

/** What it says of how it can be reached is only repeated to its own browser. */
function transportsOf({ response }: RegistrationResponseJSON): string {
  const said: unknown = response.transports
  return Array.isArray(said)
    ? said
        .filter((one) => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one))
        .slice(0, 8)
        .join(',')
    : ''
}

/** @throws Error when the browser says that the page stood in another site's: ours never do */
function refuseFrames({ response }: { response: { clientDataJSON: string } }): void {
  const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')) as { crossOrigin?: unknown; topOrigin?: unknown }
  if (data.crossOrigin === true || data.topOrigin !== undefined) throw new Error('The response comes from a cross-origin frame')
}

/** @throws Error when the statement about a key has certificates: the library would ask their issuers */
async function refuseCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const statement = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = statement.get('fmt')
  if (format !== 'none' && (format !== 'packed' || statement.get('attStmt').get('x5c') !== undefined)) {
    throw new Error(`Attestation format ${format} was not requested`)
  }
}

/** A library that it reads certificates with wants to find this one. */
async function library() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}
