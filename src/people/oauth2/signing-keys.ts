import { calculateJwkThumbprint, createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Context } from '#context.ts'
import { messageOf } from '#kernel/errors.ts'
import { issuerOf } from './issuer.ts'
import { insertSigningKey, listSigningKeys, type SigningKeyRow } from './key-store.ts'

const PURPOSE = 'oauth2 signing key'
/** Members of a JWK that others may know. RFC 7517 and 7518. */
const publicMembers = ['kty', 'n', 'e', 'crv', 'x', 'y'] as const
/** Much older than what is expired is no hint any more. */
const HINT_SECONDS = 365 * 86_400

interface Key {
  kid: string
  algorithm: string
  private: JWK
  public: JWK
}

/** What id_tokens are signed with. Keys lie in the store, encrypted; the first is made when it is needed. */
export class SigningKeys {
  readonly #context: Context
  #keys: Promise<readonly Key[]> | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /** All that tokens of ours may be signed with, as a JWK set. */
  async published(): Promise<{ keys: JWK[] }> {
    return { keys: (await this.#load()).map((key) => key.public) }
  }

  async sign(claims: JWTPayload): Promise<string> {
    const [key] = await this.#load()
    if (!key) throw new Error('Cannot sign: no signing key is available')
    return new SignJWT(claims).setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'JWT' }).sign(await importJWK(key.private, key.algorithm))
  }

  /** Whom an id_token of ours for the client is about, over or not; undefined for anything else. */
  async subjectOf(token: string, clientId: string): Promise<string | undefined> {
    const set = await this.published()
    const algorithms = [...new Set(set.keys.map(({ alg }) => alg ?? ''))]
    const terms = { issuer: issuerOf(this.#context), audience: clientId, algorithms, clockTolerance: HINT_SECONDS }
    return jwtVerify(token, createLocalJWKSet(set), { ...terms, currentDate: new Date(this.#context.clock.millis()) }).then(
      ({ payload }) => payload.sub,
      () => undefined,
    )
  }

  /** The one to sign with comes first. */
  #load(): Promise<readonly Key[]> {
    this.#keys ??= this.#read().catch((error) => {
      this.#keys = undefined
      throw error
    })
    return this.#keys
  }

  async #read(): Promise<readonly Key[]> {
    const algorithm = this.#context.config.oauth2.JWT_SIGNING_ALGORITHM
    const known = this.#readable()
    if (!known.some((key) => key.algorithm === algorithm)) await this.#make(algorithm)
    const keys = this.#readable()
    const current = keys.findLast((key) => key.algorithm === algorithm)
    return current ? [current, ...keys.filter((key) => key !== current)] : keys
  }

  /** A key that was encrypted under another secret than is there now is as good as gone. */
  #readable(): Key[] {
    return listSigningKeys(this.#context.db).flatMap((row) => {
      try {
        return [this.#open(row)]
      } catch (error) {
        this.#context.log.warn('cannot decrypt an OAuth2 signing key', { kid: row.kid, error: messageOf(error) })
        return []
      }
    })
  }

  #open({ kid, algorithm, sealed }: SigningKeyRow): Key {
    const jwk = JSON.parse(this.#context.secrets.open(sealed, PURPOSE)) as JWK
    const shown = Object.fromEntries(publicMembers.flatMap((name) => (jwk[name] === undefined ? [] : [[name, jwk[name]]])))
    return { kid, algorithm, private: jwk, public: { ...shown, kid, alg: algorithm, use: 'sig' } as JWK }
  }

  async #make(algorithm: string): Promise<void> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 })
    const jwk = await exportJWK(privateKey)
    const kid = await calculateJwkThumbprint(jwk)
    const { db, secrets, clock } = this.#context
    const sealed = secrets.seal(JSON.stringify(jwk), PURPOSE)
    db.tx((tx) => insertSigningKey(tx, { kid, algorithm, sealed, created_at: clock.seconds() }))
  }
}
