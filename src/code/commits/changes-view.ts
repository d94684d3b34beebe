import type { RepoAccess } from '#access/index.ts'
import type { FileDiff } from '#git/diff/diff-files.ts'
import type { Oid } from '#git/objects/oid.ts'
import type { Html } from '#web/index.ts'
import type { ChangesQuery } from './changes-query.ts'
import type { DiffNotes } from './diff-rows.ts'
import type { DiffEnds } from './read-changes.ts'

/** Where a side's files are found by themselves. */
export interface SideOfDiff {
  repo: RepoAccess
  commit: Oid
}

/** What is compared, and how it is shown. */
export interface ChangesView {
  ends: DiffEnds
  /** Absent where there is nothing before. */
  old?: SideOfDiff | undefined
  now: SideOfDiff
  query: ChangesQuery
  /** The page's own address; where it is another than the one that was asked for. */
  here?: string | undefined
  /** What stands beside the lines of some files, by their paths: made of no more than a part of the page shows. */
  notesOf?: ((paths: readonly string[]) => Promise<DiffNotes>) | undefined
  /** What stands in the head of a file besides. */
  tools?: ((file: FileDiff) => Html | undefined) | undefined
  /** Files of which only the head is in sight at first; absent: those that programs make. */
  isFolded?: ((file: FileDiff) => boolean) | undefined
  /** What is said of a file also while it is folded. */
  markOf?: ((file: FileDiff) => string | undefined) | undefined
  /** Files that are shown; absent: all. */
  filter?: ((file: FileDiff) => boolean) | undefined
  /** What is said of a file in the list of all. */
  listed?: ((file: FileDiff) => string | undefined) | undefined
  /** Whether the list of files stands beside them, where there is room. */
  isBeside?: boolean
}
