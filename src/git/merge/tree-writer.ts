import type { Oid } from '../objects/oid.ts'
import type { ObjectWriter } from '../store/types.ts'
import { type BytePath, baseNameOf, DIRECTORY_MODE, directoryOf, type Version } from './entry.ts'

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
  const rawLength = children[0].version.oid.length / 2
  const heads = children.map(({ name, version }) => `${version.mode.toString(8)} ${name}\0`)
  const tree = Buffer.allocUnsafe(heads.reduce((sum, head) => sum + head.length + rawLength, 0))
  let at = 0
  for (let i = 0; i < children.length; i++) {
    at += tree.write(heads[i], at, 'latin1')
    at += tree.write(children[i].version.oid, at, 'hex')
  }
  return tree
}
