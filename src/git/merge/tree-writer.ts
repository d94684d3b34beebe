import { type Oid, rawOid } from '../objects/oid.ts'
import type { ObjectWriter } from '../store/types.ts'
import { type BytePath, baseNameOf, DIRECTORY_MODE, directoryOf, type Version } from './entry.ts'
import { TreeItem } from './read-tree.ts'

interface Child {
  name: BytePath
  /** The name as trees sort it. */
  key: string
  version: Version
}

/** Puts together the trees of a merge from below: all that lies in a directory is given before the directory itself. */
export class TreeWriter {
  readonly #store: ObjectWriter
  readonly #children = new Map<BytePath, Child[]>()

  constructor(store: ObjectWriter) {
    this.#store = store
  }

  add(path: BytePath, version: Version): void {
    const name = baseNameOf(path)
    const child = { name, key: version.mode === DIRECTORY_MODE ? `${name}/` : name, version }
    const directory = directoryOf(path)
    const children = this.#children.get(directory)
    if (children === undefined) this.#children.set(directory, [child])
    else children.push(child)
  }

  /** Writes the tree of a directory; nothing when nothing is in it. */
  finish(directory: BytePath): Oid | undefined {
    const children = this.#children.get(directory)
    if (children === undefined) return undefined
    this.#children.delete(directory)
    children.sort((a, b) => (a.key < b.key ? -1 : 1))
    return this.#store.write('tree', encode(children))
  }
}

function encode(children: readonly Child[]): Uint8Array {
  const entries = children.map(encodeEntry)
  const tree = Buffer.allocUnsafe(entries.reduce((sum, entry) => sum + entry.length, 0))
  let at = 0
  for (const entry of entries) {
    tree.set(entry, at)
    at += entry.length
  }
  return tree
}

/** Entries that come from a tree are copied, unless their mode is written in a way that git has given up. */
function encodeEntry({ name, version }: Child): Uint8Array {
  const head = `${version.mode.toString(8)} `
  if (version instanceof TreeItem && version.name === name && isModeAsNow(version.raw, head)) return version.raw
  return Buffer.concat([Buffer.from(`${head}${name}\0`, 'latin1'), rawOid(version.oid)])
}

function isModeAsNow(entry: Uint8Array, head: string): boolean {
  for (let i = 0; i < head.length; i++) if (entry[i] !== head.charCodeAt(i)) return false
  return true
}
