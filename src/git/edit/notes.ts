import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { FILE_MODE, parseTree, TREE_MODE, type TreeEntry } from '../objects/tree.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import type { ObjectReader } from '../store/types.ts'
import { EditableTree } from './editable-tree.ts'

/**
 * A tree of notes has a file for each object that there is a note of, called as the object: `abcdef…`. Many notes lie in directories of
 * two digits each, however deep: `ab/cdef…`, `ab/cd/ef…`. Source: git's `Documentation/git-notes.adoc`, "NOTES REF", and its `notes.c`.
 */
const TWO_DIGITS = /^[0-9a-f]{2}$/
/** A directory with more notes is spread over directories. */
const MAX_FLAT = 256

/** Where the note of an object lies, or is to lie. */
interface NotePlace {
  path: string
  /** Undefined when there is none. */
  blob: Oid | undefined
  /** Notes that are to be spread over directories first, as their paths are. */
  crowd: TreeEntry[]
  /** The directory that those lie in, with its slash. */
  directory: string
}

/** The note's path and blob. @throws GitError `corrupt` or `missing` when a tree is */
export function findNote(store: ObjectReader, root: Oid, of: Oid): { path: string; blob: Oid } | undefined {
  const { path, blob } = placeOf(store, root, of)
  return blob && { path, blob }
}

/** @returns the tree with the note in it, in place of one that was there */
export function putNote(scratch: ScratchStore, root: Oid | undefined, of: Oid, text: Uint8Array): Oid {
  const tree = new EditableTree(scratch, root)
  const { path, crowd, directory, blob } = root === undefined ? beginning(of) : placeOf(scratch, root, of)
  const isSpread = blob === undefined && crowd.length >= MAX_FLAT
  if (isSpread) {
    for (const { name, mode, oid } of crowd) {
      tree.remove(directory + name)
      tree.put(directory + inside(name), { mode, oid })
    }
  }
  tree.put(isSpread ? directory + inside(path.slice(directory.length)) : path, { mode: FILE_MODE, oid: scratch.write('blob', text) })
  return tree.write()
}

/** @returns the tree without the note; undefined when there is none */
export function dropNote(scratch: ScratchStore, root: Oid, of: Oid): Oid | undefined {
  const found = findNote(scratch, root, of)
  if (!found) return undefined
  const tree = new EditableTree(scratch, root)
  tree.remove(found.path)
  return tree.write()
}

function beginning(of: Oid): NotePlace {
  return { path: of, blob: undefined, crowd: [], directory: '' }
}

/** Goes down as long as there are directories, into those that are not there yet where others are. */
function placeOf(store: ObjectReader, root: Oid, of: Oid): NotePlace {
  let directory = ''
  let rest: string = of
  for (let tree: Oid | undefined = root; ; ) {
    const entries: TreeEntry[] = tree === undefined ? [] : entriesOf(store, tree)
    const own = entries.find(({ name, mode }) => name === rest && mode !== TREE_MODE)
    const crowd = entries.filter(({ name, mode }) => mode !== TREE_MODE && name.length === rest.length && /^[0-9a-f]+$/.test(name))
    if (own) return { path: directory + rest, blob: own.oid, crowd, directory }
    const fans = entries.filter(({ name, mode }) => mode === TREE_MODE && TWO_DIGITS.test(name))
    if (fans.length === 0 || rest.length <= 2) return { path: directory + rest, blob: undefined, crowd, directory }
    tree = fans.find(({ name }) => name === rest.slice(0, 2))?.oid
    directory += `${rest.slice(0, 2)}/`
    rest = rest.slice(2)
  }
}

function entriesOf(store: ObjectReader, tree: Oid): TreeEntry[] {
  return parseTree(store.get(tree, 'tree', defaultLimits.maxParsedBytes).data, defaultLimits, store.format.rawLength)
}

function inside(name: string): string {
  return `${name.slice(0, 2)}/${name.slice(2)}`
}
