import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import { entryType, FILE_MODE } from '../objects/tree.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { checkPath, EditableTree, type EditedEntry } from './editable-tree.ts'

/** One change of a file. */
export interface FileEdit {
  /** `upload` creates or updates; `rename` moves, with new content if there is any; `restore` puts `entry` where nothing is. */
  operation: 'create' | 'update' | 'upload' | 'rename' | 'delete' | 'restore'
  path: string
  /** Where an updated or renamed file was before. */
  fromPath?: string
  data?: Uint8Array
  /** What the repository has already, to be there again. */
  entry?: EditedEntry
  /** The blob that the file was when the client saw it. */
  sha?: string
}

/** What became of an edit: its path, and the file there unless it was deleted. */
export interface EditedFile {
  path: string
  entry: EditedEntry | undefined
  /** It is not what lay there before. */
  isChanged: boolean
}

export interface EditedTree {
  tree: Oid
  files: EditedFile[]
}

const LINK_MODE = 0o120000

/**
 * Applies edits to a tree, one after another; all of them, or none.
 * @param root undefined for a repository without a commit
 * @throws GitError `refused` on paths that cannot be used, files that are there already, and content that is not what the client saw;
 *   `absent` when there is nothing to change
 */
export function editFiles(store: ScratchStore, root: Oid | undefined, edits: readonly FileEdit[]): EditedTree {
  const tree = new EditableTree(store, root)
  const files = edits.map((edit) => apply(store, tree, edit))
  return { tree: tree.write(), files }
}

function apply(store: ScratchStore, tree: EditableTree, edit: FileEdit): EditedFile {
  const path = checkPath(edit.path)
  const { operation } = edit
  if (operation === 'delete') return remove(tree, path, edit.sha)
  if (edit.entry) return restore(tree, path, edit.entry)
  const from = edit.fromPath === undefined || edit.fromPath === '' ? path : checkPath(edit.fromPath)
  const creates = operation === 'create' || (operation === 'update' && edit.sha === undefined && from === path && tree.find(path) === undefined)
  if (creates || (operation === 'upload' && tree.find(path) === undefined)) return create(store, tree, path, edit.data)
  return change(store, tree, { ...edit, path, from })
}

function create(store: ScratchStore, tree: EditableTree, path: string, data: Uint8Array = new Uint8Array()): EditedFile {
  const existing = tree.find(path)
  if (existing && entryType(existing.mode) !== 'tree') throw new GitError('refused', `repository file already exists [path: ${path}]`)
  return put(tree, path, { mode: FILE_MODE, oid: store.write('blob', data) })
}

function restore(tree: EditableTree, path: string, entry: EditedEntry): EditedFile {
  if (tree.find(path)) throw new GitError('refused', `repository file already exists [path: ${path}]`)
  return put(tree, path, entry)
}

interface Change extends FileEdit {
  from: string
}

function change(store: ScratchStore, tree: EditableTree, { path, from, sha, data }: Change): EditedFile {
  const before = getFile(tree, from, sha)
  if (before.mode === LINK_MODE && data !== undefined) throw new GitError('refused', `cannot update a symbolic link [path: ${from}]`)
  if (from !== path) {
    if (tree.find(path)) throw new GitError('refused', `repository file already exists [path: ${path}]`)
    tree.remove(from)
  }
  const oid = data === undefined ? before.oid : store.write('blob', data)
  return put(tree, path, { mode: before.mode, oid }, from !== path || oid !== before.oid)
}

function remove(tree: EditableTree, path: string, sha: string | undefined): EditedFile {
  getFile(tree, path, sha)
  tree.remove(path)
  return { path, entry: undefined, isChanged: true }
}

function put(tree: EditableTree, path: string, entry: EditedEntry, isChanged = true): EditedFile {
  tree.put(path, entry)
  return { path, entry, isChanged }
}

/** @throws GitError `absent` when there is none, `refused` when it is no file or not what `sha` says */
function getFile(tree: EditableTree, path: string, sha: string | undefined): EditedEntry {
  const entry = tree.find(path)
  if (entry === undefined) throw new GitError('absent', `repository file does not exist [path: ${path}]`)
  if (entryType(entry.mode) !== 'blob') throw new GitError('refused', `path is not a file [path: ${path}]`)
  if (sha !== undefined && sha !== entry.oid) throw new GitError('refused', `sha does not match [given: ${sha.slice(0, 64)}, expected: ${entry.oid}]`)
  return entry
}
