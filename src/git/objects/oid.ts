import { GitError } from '../errors.ts'

/** An object id: lower-case hexadecimal, as long as its format says (40 for SHA-1). */
export type Oid = string & { readonly oid: unique symbol }

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

export interface Hasher {
  update(bytes: Uint8Array | string): Hasher
  /** The digest, as raw bytes. */
  digest(): Uint8Array
}

/** The hash a repository names its objects by; a parameter of every store, so that SHA-256 can follow. */
export interface ObjectFormat {
  readonly name: 'sha1' | 'sha256'
  /** Length of a raw id. */
  readonly rawLength: number
  readonly hexLength: number
  /** All zeros: "no object" in ref updates. */
  readonly zero: Oid
  readonly emptyTree: Oid
  hasher(): Hasher
  /** Writes the id of `<type> <size>\0<data>` into `out` at `at`. */
  hashInto(type: ObjectType, data: Uint8Array, out: Uint8Array, at: number): void
}

class Sha1Hasher implements Hasher {
  readonly #sha = new Bun.SHA1()
  update(bytes: Uint8Array | string): Hasher {
    this.#sha.update(bytes as Uint8Array<ArrayBuffer>)
    return this
  }
  digest(): Uint8Array {
    return this.#sha.digest() as unknown as Uint8Array
  }
}

export const SHA1: ObjectFormat = {
  name: 'sha1',
  rawLength: 20,
  hexLength: 40,
  zero: '0'.repeat(40) as Oid,
  emptyTree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' as Oid,
  hasher: () => new Sha1Hasher(),
  hashInto(type, data, out, at) {
    const sha = new Bun.SHA1()
    sha.update(`${type} ${data.length}\0`)
    sha.update(data as Uint8Array<ArrayBuffer>)
    sha.digest(out.subarray(at, at + 20) as Uint8Array<ArrayBuffer>)
  },
}

/** The id that `data` has as an object of `type`. */
export function hashObject(format: ObjectFormat, type: ObjectType, data: Uint8Array): Oid {
  const raw = new Uint8Array(format.rawLength)
  format.hashInto(type, data, raw, 0)
  return raw.toHex() as Oid
}

const hex40 = /^[0-9a-f]{40}$/

export function isOid(text: string): text is Oid {
  return hex40.test(text)
}

/** @throws GitError `protocol` when `text` is not a full lower-case object id */
export function parseOid(text: string): Oid {
  if (!isOid(text)) throw new GitError('protocol', `Cannot parse object id "${text.slice(0, 64)}": expected 40 lowercase hexadecimal digits`)
  return text
}

/** The id whose raw bytes lie in `bytes` from `at` on. */
export function oidAt(bytes: Uint8Array, at: number, rawLength = 20): Oid {
  return Buffer.prototype.hexSlice.call(bytes, at, at + rawLength) as Oid
}

/** The raw bytes of `oid`. */
export function rawOid(oid: Oid): Uint8Array {
  return Buffer.from(oid, 'hex')
}
