import { trimSlashes } from '../diff/path-filter.ts'
import { PathFinder } from '../history/path-finder.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import { sizeOf } from './list-tree.ts'

const DIRECTORY = 0o040000

/** What lies at a path of a tree. */
export interface FoundPath {
  mode: number
  oid: Oid
  /** Bytes, for files and symbolic links. */
  size: number
  /** The content, for files and symbolic links that are not larger than asked for. */
  data?: Uint8Array
}

/** @param path '' is the root itself. Undefined when there is nothing. @throws GitError `missing` or `corrupt` when a tree on the way is */
export function openPath(store: ObjectReader, tree: Oid, path: string, maxBytes: number): FoundPath | undefined {
  // An empty directory is nothing in a tree, but the root is there even so.
  const entry = trimSlashes(path) === '' ? { mode: DIRECTORY, oid: tree } : new PathFinder(store, path).find(tree)
  return entry && openEntry(store, entry, maxBytes)
}

/** The same of an entry whose mode and id are known. */
export function openEntry(store: ObjectReader, entry: Pick<FoundPath, 'mode' | 'oid'>, maxBytes: number): FoundPath {
  const size = sizeOf(store, entry.mode, entry.oid)
  const isBlob = entry.mode !== DIRECTORY && entry.mode !== 0o160000
  return { mode: entry.mode, oid: entry.oid, size, ...(isBlob && size <= maxBytes ? { data: store.get(entry.oid, 'blob', maxBytes).data } : {}) }
}
