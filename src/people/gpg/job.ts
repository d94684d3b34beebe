/** What the signature thread is asked, and what it answers. */
export type Job = { kind: 'read'; armored: string; now: number } | { kind: 'check'; checks: readonly Check[] }

/** By the kind of job; `good` is as long as there was time for. */
export interface Answers {
  read: { key: ReadKey } | { refused: string }
  check: { good: boolean[] }
}

/** One signature over one payload. */
export type Check =
  /** An armoured OpenPGP signature, by a key of this certificate. */
  | { kind: 'openpgp'; certificate: Uint8Array; signature: string; payload: Uint8Array }
  /** An armoured SSH signature, which says itself by what key. */
  | { kind: 'ssh'; signature: string; payload: Uint8Array }

/** A primary key or a subkey. Times in seconds since 1970. */
export interface KeyPart {
  /** Sixteen hexadecimal digits in upper case. */
  keyId: string
  /** The public key packet. */
  packet: Uint8Array
  canSign: boolean
  canCertify: boolean
  canEncryptComms: boolean
  canEncryptStorage: boolean
  createdAt: number
  /** Null: never. */
  expiresAt: number | null
}

/** A public key that someone brings. */
export interface ReadKey extends KeyPart {
  /** The whole key, without what others signed. */
  certificate: Uint8Array
  /** Addresses of its identities, in lower case. */
  emails: string[]
  subkeys: KeyPart[]
}
