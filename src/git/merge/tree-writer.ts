import { type Oid, rawOid } from '../objects/oid.ts'
import type { ObjectWriter } from '../store/types.ts'
import { type BytePath, baseNameOf, DIRECTORY_MODE, directoryOf, type Version } from './entry.ts'
import { TreeItem } from './read-tree.ts'

interface Child {
  name: BytePath
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
    const child = { name: baseNameOf(path), version }
    const directory = directoryOf(path)
    const children = this.#children.get(directory)
    if (children === undefined) this.#children.set(directory, [child])
    else children.push(child)
  }

  /** Writes the tree of a directory, with the items that it takes over; nothing when nothing is in it. */
  finish(directory: BytePath, items: readonly TreeItem[]): Oid | undefined {
    const children = this.#children.get(directory) ?? []
    if (children.length + items.length === 0) return undefined
    this.#children.delete(directory)
    return this.#store.write('tree', encode(children, items))
  }
}

function encode(children: Child[], items: readonly TreeItem[]): Uint8Array {
  const tree = new TreeBytes()
  children.sort((a, b) => compare(a.name, a.version.mode, b.name, b.version.mode))
  const inOrder = isInOrder(items) ? items : items.toSorted((a, b) => compare(a.name, a.mode, b.name, b.mode))
  let next = 0
  for (const item of inOrder) {
    for (let child = children[next]; child !== undefined && compare(child.name, child.version.mode, item.name, item.mode) < 0; child = children[++next]) {
      tree.addVersion(child.name, child.version)
    }
    tree.addVersion(item.name, item)
  }
  for (const { name, version } of children.slice(next)) tree.addVersion(name, version)
  return tree.bytes()
}

function isInOrder(items: readonly TreeItem[]): boolean {
  return items.every((item, i) => i === 0 || compare((items[i - 1] as TreeItem).name, (items[i - 1] as TreeItem).mode, item.name, item.mode) < 0)
}

/** As trees sort names: those of directories as if they ended in a slash, which matters only where one name begins with the other. */
function compare(a: BytePath, aMode: number, b: BytePath, bMode: number): number {
  const isLess = a < b
  if (isLess ? !b.startsWith(a) : !a.startsWith(b)) return isLess ? -1 : 1
  return keyOf(a, aMode) < keyOf(b, bMode) ? -1 : 1
}

function keyOf(name: BytePath, mode: number): string {
  return mode === DIRECTORY_MODE ? `${name}/` : name
}

/** A tree that is being written: what lies side by side in one that was read is copied at once. */
class TreeBytes {
  readonly #pieces: Uint8Array[] = []
  #run: { first: TreeItem; last: TreeItem } | undefined

  addVersion(name: BytePath, version: Version): void {
    if (!(version instanceof TreeItem && version.name === name && version.isWrittenAsNow)) {
      this.#endRun()
      this.#pieces.push(Buffer.from(`${version.mode.toString(8)} ${name}\0`, 'latin1'), rawOid(version.oid))
    } else if (this.#run !== undefined && version.follows(this.#run.last)) this.#run.last = version
    else {
      this.#endRun()
      this.#run = { first: version, last: version }
    }
  }

  bytes(): Uint8Array {
    this.#endRun()
    return Buffer.concat(this.#pieces)
  }

  #endRun(): void {
    if (this.#run !== undefined) this.#pieces.push(this.#run.first.rawUpTo(this.#run.last))
    this.#run = undefined
  }
}
