import type { Oid } from '../objects/oid.ts'

/**
 * Paths within a merge are byte strings: each character stands for one byte, so that they compare as git compares them and names that are
 * not UTF-8 survive.
 */
export type BytePath = string

/** What a path holds in one tree; mode 0: nothing. */
export interface Version {
  readonly mode: number
  readonly oid: Oid
}

/** The three trees of a merge, as places in an entry's stages, and as bits of its masks. */
export const BASE = 0
export const OURS = 1
export const THEIRS = 2
export type Stage = typeof BASE | typeof OURS | typeof THEIRS
export type Side = typeof OURS | typeof THEIRS
export const stages = [BASE, OURS, THEIRS] as const
export const sides = [OURS, THEIRS] as const
export const BASE_BIT = 1
export const OURS_BIT = 2
export const THEIRS_BIT = 4
export const ALL_BITS = 7

export function otherSide(side: Side): Side {
  return side === OURS ? THEIRS : OURS
}

export function bitOf(stage: Stage): number {
  return 1 << stage
}

const TYPE_BITS = 0o170000
export const DIRECTORY_MODE = 0o040000
const REGULAR = 0o100000
const SYMLINK = 0o120000
const GITLINK = 0o160000

export function isRegular(mode: number): boolean {
  return (mode & TYPE_BITS) === REGULAR
}

export function isSymlink(mode: number): boolean {
  return (mode & TYPE_BITS) === SYMLINK
}

export function isGitlink(mode: number): boolean {
  return (mode & TYPE_BITS) === GITLINK
}

export function isSameType(a: number, b: number): boolean {
  return (a & TYPE_BITS) === (b & TYPE_BITS)
}

export function isSameVersion(a: Version, b: Version): boolean {
  return a.mode === b.mode && a.oid === b.oid
}

/** Nothing at a path. */
export const NOTHING: Version = { mode: 0, oid: '0'.repeat(40) as Oid }

const noVersions: [Version, Version, Version] = [NOTHING, NOTHING, NOTHING]
const noPaths: [BytePath, BytePath, BytePath] = ['', '', '']

/** What is known of a path while two trees are merged. Source: `struct conflict_info` of git's `merge-ort.c`. */
export class MergeEntry {
  versions: [Version, Version, Version]
  /** Where each version lay: renames bring them in from elsewhere. */
  paths: [BytePath, BytePath, BytePath]
  /** In which trees the path is a file (link, submodule), and in which a directory. */
  files: number
  directories: number
  /** Which versions are the same: 3, 5 or 6, or 0 for none. */
  matching = 0
  /** A file and a directory are after this path. */
  hasDirectoryConflict = false
  /** Something is wrong with where the path lies, whatever becomes of its content. */
  hasPathConflict = false
  isClean = false
  /** Nothing is left at the path. */
  isGone = false
  result: Version = NOTHING

  private constructor(paths: [BytePath, BytePath, BytePath], versions: [Version, Version, Version], files: number, directories: number) {
    this.versions = versions
    this.paths = paths
    this.files = files
    this.directories = directories
  }

  static of(path: BytePath, versions: [Version, Version, Version], files: number, directories: number): MergeEntry {
    return new MergeEntry([path, path, path], versions, files, directories)
  }

  /** A path that needs no more thought; its versions are not looked at. */
  static resolved(result: Version): MergeEntry {
    const entry = new MergeEntry(noPaths, noVersions, 0, 0)
    entry.isClean = true
    entry.result = result
    return entry
  }

  copy(): MergeEntry {
    const copy = new MergeEntry([...this.paths], [...this.versions], this.files, this.directories)
    copy.matching = this.matching
    copy.hasDirectoryConflict = this.hasDirectoryConflict
    copy.hasPathConflict = this.hasPathConflict
    copy.isClean = this.isClean
    copy.isGone = this.isGone
    copy.result = this.result
    return copy
  }

  has(stage: Stage): boolean {
    return (this.files & bitOf(stage)) !== 0
  }

  remove(): void {
    this.isGone = true
    this.isClean = true
  }

  /** Forgets what is no file: only the file is looked at from here on. */
  keepFilesOnly(): void {
    this.matching &= ~this.directories
    this.directories = 0
    for (const stage of stages) if (!this.has(stage)) this.versions[stage] = NOTHING
  }
}

export function directoryOf(path: BytePath): BytePath {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

export function baseNameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The path as text. */
export function pathText(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString()
}

/** Text as a byte string. */
export function bytesOf(text: string): BytePath {
  return Buffer.from(text).toString('latin1')
}
