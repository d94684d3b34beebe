import type { ObjectFormat, ObjectType, Oid } from '../objects/oid.ts'
import { getObject } from '../store/rules.ts'
import type { GitObject, ObjectHeader, ObjectReader } from '../store/types.ts'
import type { PackFile } from './pack-file.ts'

/** A pack that nobody else sees yet, and behind it the repository that it is meant for. */
export class PackFirst implements ObjectReader {
  readonly format: ObjectFormat
  readonly #pack: PackFile
  readonly #behind: ObjectReader

  constructor(pack: PackFile, behind: ObjectReader) {
    this.format = behind.format
    this.#pack = pack
    this.#behind = behind
  }

  has(oid: Oid): boolean {
    return this.#pack.index.find(oid) >= 0 || this.#behind.has(oid)
  }

  findHeader(oid: Oid): ObjectHeader | undefined {
    const position = this.#pack.index.find(oid)
    return position < 0 ? this.#behind.findHeader(oid) : this.#pack.headerOf(this.#pack.index.offsetAt(position))
  }

  find(oid: Oid, maxBytes?: number): GitObject | undefined {
    const position = this.#pack.index.find(oid)
    return position < 0 ? this.#behind.find(oid, maxBytes) : this.#pack.read(position, maxBytes)
  }

  get(oid: Oid, type?: ObjectType, maxBytes?: number): GitObject {
    return getObject(this, oid, type, maxBytes)
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    const { index } = this.#pack
    const found = new Set(this.#behind.findByPrefix(prefix, limit))
    const { from, to } = index.prefixRange(prefix)
    for (let position = from; position < Math.min(to, from + limit); position++) found.add(index.oidAt(position))
    return [...found].sort().slice(0, limit)
  }
}
