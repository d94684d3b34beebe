import { openPath } from '../browse/open-path.ts'
import { Lines } from '../diff/lines.ts'
import { GitError } from '../errors.ts'
import { parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import { entryType } from '../objects/tree.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { EditableTree } from './editable-tree.ts'
import { type LineReplacement, replaceLines } from './replace-lines.ts'

/** Lines of a file that are to be replaced. */
export interface LineEdit extends LineReplacement {
  path: string
  /** They have to be those of this commit from this line on. */
  as?: { commit: Oid; first: number } | undefined
}

const LINK_MODE = 0o120000
/** Larger files are not edited line by line. */
const MAX_BYTES = 8 << 20

/**
 * A tree with lines of its files replaced.
 * @throws GitError `refused` for what is no file of text lines that small, for lines that are not what they are said to be, and when nothing
 *   would change; `absent` when there is no such file
 */
export function editLines(store: ScratchStore, root: Oid, edits: readonly LineEdit[]): Oid {
  const tree = new EditableTree(store, root)
  for (const [path, changes] of Map.groupBy(edits, (edit) => edit.path)) {
    const { mode, data } = getText(store, root, path)
    for (const edit of changes) requireSame(store, data, edit)
    tree.put(path, { mode, oid: store.write('blob', replaceLines(data, changes)) })
  }
  const edited = tree.write()
  if (edited === root) throw new GitError('refused', 'the lines already have this content')
  return edited
}

function getText(store: ScratchStore, root: Oid, path: string): { mode: number; data: Uint8Array } {
  const found = openPath(store, root, path, MAX_BYTES)
  if (found === undefined) throw new GitError('absent', `repository file does not exist [path: ${path}]`)
  const { mode, data } = found
  if (entryType(mode) !== 'blob' || mode === LINK_MODE) throw new GitError('refused', `path is not a file [path: ${path}]`)
  if (data === undefined) throw new GitError('refused', `the file is too large to be edited line by line [path: ${path}]`)
  return { mode, data }
}

function requireSame(store: ScratchStore, data: Uint8Array, { path, first, last, as }: LineEdit): void {
  if (as === undefined) return
  const changed = new GitError('refused', `lines ${first} to ${last} of ${path} have changed`)
  const then = store.findHeader(as.commit) && openPath(store, parseCommit(store.get(as.commit, 'commit').data).tree, path, MAX_BYTES)?.data
  if (then === undefined) throw changed
  const [now, before] = [new Lines(data), new Lines(then)]
  for (let i = 0; i <= last - first; i++) {
    const [a, b] = [first - 1 + i, as.first - 1 + i]
    if (a >= now.count || b < 0 || b >= before.count || !Buffer.from(now.bytes(a)).equals(before.bytes(b))) throw changed
  }
}
