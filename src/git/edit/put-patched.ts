import type { PatchedEntry } from '../diff/apply-patch.ts'
import type { Oid } from '../objects/oid.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import type { EditedTree } from './edit-files.ts'
import { checkPath, EditableTree } from './editable-tree.ts'

/**
 * Writes what a patch has made of a tree. What goes leaves first, so that a file can take the place of a directory and the other way round.
 * @throws GitError `refused` on paths that cannot be used
 */
export function putPatched(store: ScratchStore, root: Oid, patched: readonly PatchedEntry[]): EditedTree {
  const tree = new EditableTree(store, root)
  for (const { path, new: file } of patched) if (file === undefined) tree.remove(checkPath(path))
  const files = patched.map(({ path, new: file }) => {
    if (file === undefined) return { path, entry: undefined, isChanged: true }
    const entry = { mode: file.mode, oid: 'data' in file ? store.write('blob', file.data) : file.oid }
    tree.put(checkPath(path), entry)
    return { path, entry, isChanged: true }
  })
  return { tree: tree.write(), files }
}
