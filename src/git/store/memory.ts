import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { defaultLimits } from '../limits.ts'
import type { ObjectFormat, ObjectType, Oid } from '../objects/oid.ts'
import { hashObject, SHA1 } from '../objects/oid.ts'
import { checkSize, getObject, isPrefix } from './rules.ts'
import type { GitObject, ObjectHeader, ObjectStore } from './types.ts'

/** Objects in memory, for tests. */
export class MemoryStore implements ObjectStore {
  readonly format: ObjectFormat
  readonly #limits: GitLimits
  readonly #objects = new Map<Oid, GitObject>()

  constructor(options: { format?: ObjectFormat; limits?: GitLimits } = {}) {
    this.format = options.format ?? SHA1
    this.#limits = options.limits ?? defaultLimits
  }

  has(oid: Oid): boolean {
    return this.#objects.has(oid)
  }

  findHeader(oid: Oid): ObjectHeader | undefined {
    const object = this.#objects.get(oid)
    return object && { type: object.type, size: object.data.length }
  }

  find(oid: Oid, maxBytes: number = this.#limits.maxObjectBytes): GitObject | undefined {
    const object = this.#objects.get(oid)
    if (object && object.data.length > maxBytes)
      throw new GitError('limit', `Cannot read object ${oid}: its ${object.data.length} bytes are over the limit of ${maxBytes}`)
    return object
  }

  get(oid: Oid, type?: ObjectType, maxBytes?: number): GitObject {
    return getObject(this, oid, type, maxBytes)
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    if (!isPrefix(prefix, this.format)) return []
    return [...this.#objects.keys()]
      .filter((oid) => oid.startsWith(prefix))
      .sort()
      .slice(0, limit)
  }

  write(type: ObjectType, data: Uint8Array): Oid {
    checkSize(data.length, this.#limits)
    const oid = hashObject(this.format, type, data)
    if (!this.#objects.has(oid)) this.#objects.set(oid, { type, data: new Uint8Array(data) })
    return oid
  }

  close(): void {
    this.#objects.clear()
  }
}
