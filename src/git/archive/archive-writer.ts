import type { Oid } from '../objects/oid.ts'
import type { ArchiveEntry, EntryKind } from './entry-walk.ts'

/** An entry with the archive's prefix before its path. */
export interface PlacedEntry {
  kind: EntryKind
  /** A byte in each character; directories and submodules end in a slash. */
  path: string
  oid: Oid
  isExecutable: boolean
  attributes: ArchiveEntry['attributes']
}

/** What a file or symbolic link holds, as it is to be unpacked. */
export interface EntryContent {
  /** Bytes. */
  readonly size: number
  /** It is too large to be had as a whole. */
  readonly isLarge: boolean
  /** Not for writing to. @throws GitError `limit` when it is large */
  whole(): Uint8Array
  /** Each piece is only good until the next is asked for. */
  pieces(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** One archive format. */
export interface ArchiveWriter {
  begin(commit: Oid | undefined): Promise<void>
  add(entry: PlacedEntry, content: EntryContent): Promise<void>
  end(commit: Oid | undefined): Promise<void>
}
