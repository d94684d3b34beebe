import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import type { ObjectFormat, ObjectType, Oid } from '../objects/oid.ts'
import type { GitObject, ObjectHeader, ObjectReader } from './types.ts'

/** What every store answers alike. */

const SHORTEST_PREFIX = 4

export function missing(oid: Oid): GitError {
  return new GitError('missing', `Cannot find object ${oid}`)
}

/** Of what another object names. @throws GitError `missing` */
export function getHeader(store: Pick<ObjectReader, 'findHeader'>, oid: Oid): ObjectHeader {
  const header = store.findHeader(oid)
  if (header === undefined) throw missing(oid)
  return header
}

/** What `ObjectReader.get` is made of. @throws GitError `missing` when absent, `corrupt` when it is of another type than `type`, and as `find` does */
export function getObject(store: Pick<ObjectReader, 'find'>, oid: Oid, type?: ObjectType, maxBytes?: number): GitObject {
  const object = store.find(oid, maxBytes)
  if (object === undefined) throw missing(oid)
  checkType(oid, object, type)
  return object
}

export function checkType(oid: Oid, object: Pick<GitObject, 'type'>, type: ObjectType | undefined): void {
  if (type !== undefined && object.type !== type) throw new GitError('corrupt', `Cannot read ${oid} as a ${type}: it is a ${object.type}`)
}

/** @throws GitError `limit` */
export function checkSize(size: number, limits: GitLimits): void {
  if (size > limits.maxObjectBytes) throw new GitError('limit', `Cannot store object: its ${size} bytes are over the limit of ${limits.maxObjectBytes}`)
}

/** Whether `text` can stand for ids that begin with it: 4 or more lower-case hexadecimal digits, no longer than an id. */
export function isPrefix(text: string, format: ObjectFormat): boolean {
  return text.length >= SHORTEST_PREFIX && text.length <= format.hexLength && /^[0-9a-f]+$/.test(text)
}

/** An error that says which object cannot be read in its files: who repairs the store needs to know. */
export function named(oid: Oid, error: unknown): unknown {
  if (!(error instanceof GitError) || error.kind !== 'corrupt' || error.message.includes(oid)) return error
  return new GitError('corrupt', `Cannot read object ${oid}: ${error.message}`, { cause: error })
}
