import type { Oid } from '../objects/oid.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import type { ConflictLabels } from './conflict-text.ts'
import { type BytePath, baseNameOf, directoryOf, MergeEntry, pathText, type Side } from './entry.ts'
import type { PathRules } from './path-rules.ts'
import type { TreeItem } from './read-tree.ts'
import type { SettledItems } from './settled-items.ts'
import type { WorkBudget } from './work-budget.ts'

/** What is said of a conflict, or of something that a merge did by itself. */
export type ConflictKind =
  | 'content'
  | 'binary'
  | 'add/add'
  | 'modify/delete'
  | 'rename/rename'
  | 'rename/delete'
  | 'rename/collision'
  | 'file/directory'
  | 'distinct types'
  | 'submodule'
  | 'directory rename split'
  | 'directory rename collision'
  | 'directory rename in the way'
  | 'file location'

export interface MergeNote {
  kind: ConflictKind
  /** Paths concerned, the one that the note is about first. */
  paths: string[]
  message: string
}

export interface MergeSettings {
  /** What conflict markers call the two sides, as byte strings; the base is named by whoever knows how many there were. */
  labels: { ours: string; theirs: string }
  /** Conflicts show the base, too. */
  diff3: boolean
  /** Contents are compared for renames while there are no more pairs than the square of this. */
  renameLimit: number
  /** Trees can be made that unfold into billions of paths: so many are looked at. */
  maxPaths: number
  /** And so many of them may take some thought, which costs memory. */
  maxEntries: number
  /** How a path is merged. */
  rulesOf: (path: BytePath) => PathRules
}

/** Whether a removed directory's new place is asked for: by files added to it, by those of a directory above, or by nobody. */
export const UNASKED = 0
export const ASKED_FOR_ANCESTOR = 1
export const ASKED_FOR_SELF = 2

/** Whether it matters where a removed file went: for what the other side did to it, or for where its directory went. */
export type SourceRelevance = 'content' | 'location' | 'no more'

/** A file that one side added, removed, or, once that is found out, renamed. */
export interface FilePair {
  status: 'added' | 'removed' | 'renamed'
  oldPath: BytePath
  newPath: BytePath
  mode: number
  oid: Oid
  side: Side
}

/** What one side did to files and directories, as far as renames go. */
export class SideChanges {
  pairs: FilePair[] = []
  /** Removed files whose new place matters. */
  readonly relevantSources = new Map<BytePath, SourceRelevance>()
  readonly removedDirectories = new Map<BytePath, number>()
  /** By old directory, how many files went to which new one. */
  readonly directoryCounts = new Map<BytePath, Map<BytePath, number>>()
  /** Where directories went. */
  readonly directoryRenames = new Map<BytePath, BytePath>()
}

/** One merge of two trees while it is under way. */
export class MergeState {
  readonly store: ScratchStore
  readonly settings: MergeSettings
  readonly labels: ConflictLabels
  /** How many merges of merge bases this one is inside. */
  readonly depth: number
  readonly budget: WorkBudget
  /** Every path that takes some thought. */
  readonly entries = new Map<BytePath, MergeEntry>()
  /** By directory, what is next to those paths and takes none. */
  readonly settled = new Map<BytePath, SettledItems>()
  /** By side; the first is not used. */
  readonly changes = [new SideChanges(), new SideChanges(), new SideChanges()] as const
  readonly conflicted = new Map<BytePath, MergeEntry>()
  readonly notes: MergeNote[] = []

  constructor(store: ScratchStore, settings: MergeSettings, labels: ConflictLabels, depth: number, budget: WorkBudget) {
    this.store = store
    this.settings = settings
    this.labels = labels
    this.depth = depth
    this.budget = budget
  }

  /** What a side is called, as a byte string. */
  label(side: Side): BytePath {
    return side === 1 ? this.labels.ours : this.labels.theirs
  }

  entry(path: BytePath): MergeEntry {
    return this.entries.get(path) as MergeEntry
  }

  /** The entry of a path that may be settled: there is one from now on. */
  findEntry(path: BytePath): MergeEntry | undefined {
    const item = this.entries.has(path) ? undefined : this.settled.get(directoryOf(path))?.take(baseNameOf(path))
    if (item !== undefined) this.entries.set(path, MergeEntry.resolved(item))
    return this.entries.get(path)
  }

  /** What the merge takes over into a directory as it is, what has an entry left out. */
  settledIn(directory: BytePath): TreeItem[] {
    return this.settled.get(directory)?.rest() ?? []
  }

  /** Merges of merge bases are nobody's business. @param message a byte string, as the paths and labels in it are */
  note(kind: ConflictKind, paths: BytePath[], message: string): void {
    if (this.depth === 0) this.notes.push({ kind, paths: paths.map(pathText), message: pathText(message) })
  }
}
