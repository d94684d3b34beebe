import type { ObjectWriter } from '../store/types.ts'
import type { Oid } from './oid.ts'
import { encodeTree, FILE_MODE, TREE_MODE } from './tree.ts'

/** A tree of trees, each of which holds the next one ten times: 10 to the power of `levels` files of one content, or without one as many empty directories. */
export function unfoldingTree(store: ObjectWriter, levels: number, content?: Uint8Array): Oid {
  let mode = content ? FILE_MODE : TREE_MODE
  let oid = content ? store.write('blob', content) : store.write('tree', encodeTree([]))
  for (let level = 0; level < levels; level++) {
    oid = store.write('tree', encodeTree(Array.from({ length: 10 }, (_, i) => ({ mode, name: `d${i}`, oid }))))
    mode = TREE_MODE
  }
  return oid
}
