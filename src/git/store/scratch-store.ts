import { GitError } from '../errors.ts'
import { hashObject, type ObjectFormat, type ObjectType, type Oid, oidAt } from '../objects/oid.ts'
import { eachEntry, entryType } from '../objects/tree.ts'
import { getObject } from './rules.ts'
import type { GitObject, ObjectHeader, ObjectReader, ObjectStore } from './types.ts'

/** What one piece of work writes, in memory, in front of a repository that it only reads. */
export class ScratchStore implements ObjectStore {
  readonly format: ObjectFormat
  readonly #behind: ObjectReader
  readonly #objects = new Map<Oid, GitObject>()
  #bytesLeft: number

  /** @param maxBytes of all that is written together */
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
    return getObject(this, oid, type, maxBytes)
  }

  findByPrefix(prefix: string, limit: number): Oid[] {
    const own = [...this.#objects.keys()].filter((oid) => oid.startsWith(prefix))
    return [...new Set([...own, ...this.#behind.findByPrefix(prefix, limit)])].sort().slice(0, limit)
  }

  /** Keeps `data` itself, which must not change; what the repository has already is not kept twice. @throws GitError `limit` */
  write(type: ObjectType, data: Uint8Array): Oid {
    const oid = hashObject(this.format, type, data)
    if (this.has(oid)) return oid
    this.#bytesLeft -= data.length
    if (this.#bytesLeft < 0) throw new GitError('limit', 'Cannot write objects: their total size is over the limit')
    this.#objects.set(oid, { type, data })
    return oid
  }

  /** What was written and `tips` lead to; what was only tried is not among it. What is needed comes before what needs it. */
  reachable(tips: readonly Oid[]): { oid: Oid; object: GitObject }[] {
    const found = new Map<Oid, GitObject>()
    const open = tips.map((oid) => ({ oid, isEntered: false }))
    for (let next = open.pop(); next; next = open.pop()) {
      const object = this.#objects.get(next.oid)
      if (object === undefined || found.has(next.oid)) continue
      if (next.isEntered) found.set(next.oid, object)
      else {
        open.push({ oid: next.oid, isEntered: true })
        for (const oid of this.#linksOf(object)) open.push({ oid, isEntered: false })
      }
    }
    return [...found].map(([oid, object]) => ({ oid, object }))
  }

  close(): void {
    this.#objects.clear()
  }

  #linksOf({ type, data }: GitObject): Oid[] {
    if (type === 'tree') return childrenOf(data)
    return type === 'blob' ? [] : headerLinks(data, this.format)
  }
}

function childrenOf(tree: Uint8Array): Oid[] {
  const children: Oid[] = []
  eachEntry(tree, (mode, _start, _end, at) => {
    if (entryType(mode) !== 'commit') children.push(oidAt(tree, at))
  })
  return children
}

/** Of a commit: `tree` and `parent`; of a tag: `object`. Headers end at the first empty line. */
function headerLinks(data: Uint8Array, format: ObjectFormat): Oid[] {
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1')
  const end = text.indexOf('\n\n')
  const lines = text.slice(0, end < 0 ? text.length : end).split('\n')
  return lines.flatMap((line) => (/^(?:tree|parent|object) [0-9a-f]+$/.test(line) ? [line.slice(-format.hexLength) as Oid] : []))
}
