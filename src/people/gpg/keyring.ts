import type { Db } from '#kernel/db.ts'
import { findKeyByFingerprint } from '#people/keys/index.ts'
import { findCertificate } from './store.ts'

/** The keys that the signatures of a page name, each looked up once. */
export class Keyring {
  readonly #db: Db
  readonly #certificates = new Map<string, ReturnType<typeof findCertificate>>()
  readonly #sshKeys = new Map<string, ReturnType<typeof findKeyByFingerprint>>()

  constructor(db: Db) {
    this.#db = db
  }

  /** The account's OpenPGP key of this id, when it counts for this address of the account's. */
  certificate(userId: number, keyId: string, email: string): ReturnType<typeof findCertificate> {
    const name = `${userId} ${keyId} ${email}`
    if (!this.#certificates.has(name)) this.#certificates.set(name, findCertificate(this.#db, userId, keyId, email))
    return this.#certificates.get(name)
  }

  /** Whoever's it is. */
  sshKey(fingerprint: string): ReturnType<typeof findKeyByFingerprint> {
    if (!this.#sshKeys.has(fingerprint)) this.#sshKeys.set(fingerprint, findKeyByFingerprint(this.#db, fingerprint))
    return this.#sshKeys.get(fingerprint)
  }
}
