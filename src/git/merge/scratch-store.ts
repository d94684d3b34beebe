import { GitError } from '../errors.ts'
import { commitLinks } from '../objects/commit.ts'
import { hashObject, type ObjectFormat, type ObjectType, type Oid, oidAt } from '../objects/oid.ts'
import { eachEntry, entryType } from '../objects/tree.ts'
import { checkType } from '../store/rules.ts'
import type { GitObject, ObjectHeader, ObjectReader, ObjectWriter } from '../store/types.ts'

/** What one piece of work writes, in memory, in front of a repository that it only reads. What is worth keeping is copied to a store at the end. */
export class ScratchStore implements ObjectReader, ObjectWriter {
  readonly format: ObjectFormat
  readonly #behind: ObjectReader
  readonly #objects = new Map<Oid, GitObject>()
  #bytesLeft: number

  constructor(behind: ObjectReader, maxBytes: number) {
    this.format = behind.format
    this.#behind = behind
    this.#bytesLeft = maxBytes
  }

  has(oid: Oid): boolean {
    return this.#objects.has(oid) || this.#behind.has(oid)
  }

  findHeader(oid: Oid): ObjectHeader | undefined {
    const object = this.#objects.get(oid)
    return object ? { type: object.type, size: object.data.length } : this.#behind.findHeader(oid)
  }

  find(oid: Oid, maxBytes?: number): GitObject | undefined {
    return this.#objects.get(oid) ?? this.#behind.find(oid, maxBytes)
  }

  get(oid: Oid, type?: ObjectType, maxBytes?: number): GitObject {
    const object = this.#objects.get(oid)
    if (object === undefined) return this.#behind.get(oid, type, maxBytes)
    checkType(oid, object, type)
    return object
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    const own = [...this.#objects.keys()].filter((oid) => oid.startsWith(prefix))
    return [...new Set([...own, ...this.#behind.findByPrefix(prefix, limit)])].sort().slice(0, limit)
  }

  /** Keeps `data` itself, which must not change. @throws GitError `limit` */
  write(type: ObjectType, data: Uint8Array): Oid {
    const oid = hashObject(this.format, type, data)
    if (this.#objects.has(oid)) return oid
    this.#bytesLeft -= data.length
    if (this.#bytesLeft < 0) throw new GitError('limit', 'Cannot merge: what it would write is over the limit')
    this.#objects.set(oid, { type, data })
    return oid
  }

  /** Those of `commits`, and of the trees and blobs that they lead to, that were written here; what is needed comes before what needs it. */
  made(commits: readonly Oid[]): GitObject[] {
    const made: GitObject[] = []
    const seen = new Set<Oid>()
    for (const commit of commits) this.#collect(commit, seen, made)
    return made
  }

  #collect(oid: Oid, seen: Set<Oid>, made: GitObject[]): void {
    const object = this.#objects.get(oid)
    if (object === undefined || seen.has(oid)) return
    seen.add(oid)
    if (object.type === 'tree') for (const child of childrenOf(object.data)) this.#collect(child, seen, made)
    if (object.type === 'commit') this.#collect(commitLinks(object.data).tree, seen, made)
    made.push(object)
  }
}

function childrenOf(tree: Uint8Array): Oid[] {
  const children: Oid[] = []
  eachEntry(tree, (mode, _start, _end, at) => {
    if (entryType(mode) !== 'commit') children.push(oidAt(tree, at))
  })
  return children
}
