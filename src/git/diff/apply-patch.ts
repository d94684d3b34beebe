import { isUtf8 } from 'node:buffer'
import { GitError } from '../errors.ts'
import { type PathEntry, PathFinder } from '../history/path-finder.ts'
import { findHostility, isDotGitmodules } from '../objects/hostile-names.ts'
import { hashObject, isOid, type Oid } from '../objects/oid.ts'
import { FILE_MODE, GITLINK_MODE, TREE_MODE } from '../objects/tree.ts'
import { applyDelta } from '../packs/delta.ts'
import type { ObjectReader } from '../store/types.ts'
import { applyHunks } from './apply-hunks.ts'
import { defaultPatchLimits, type FilePatch, type PatchLimits, parsePatch } from './parse-patch.ts'
import { diffTrees } from './tree-diff.ts'

/** A file as a patch leaves it: its content, or the commit of a submodule. */
export type PatchedFile = { mode: number; data: Uint8Array } | { mode: typeof GITLINK_MODE; oid: Oid }

/** What a patch changes of a tree: a file that is there afterwards, or one that is gone. */
export interface PatchedEntry {
  path: string
  /** What was there before. */
  old: PathEntry | undefined
  new: PatchedFile | undefined
}

const SYMLINK_MODE = 0o120000
const modes = new Set([FILE_MODE, 0o100755, SYMLINK_MODE, GITLINK_MODE])

/**
 * What a patch (see `parsePatch`) makes of a tree, as `git apply --index` does it: wholly or not at all, every line where the patch expects
 * it or as far off as all lines around it. Nothing is written. Entries come in the order of the patch, each path once.
 * @throws GitError `refused` for a patch that is none, and, naming file and hunk, for one that does not fit or has a hostile name; `limit`;
 *   `corrupt` only for what is stored
 */
export function applyPatch(store: ObjectReader, tree: Oid, patch: Uint8Array, limits: PatchLimits = defaultPatchLimits): PatchedEntry[] {
  const patches = refusingFaults(() => parsePatch(patch, limits))
  const patching = new Patching(store, tree, limits, patches)
  for (const file of patches) patching.apply(file)
  return patching.finish()
}

class Patching {
  readonly #store: ObjectReader
  readonly #tree: Oid
  readonly #limits: PatchLimits
  /** What has been patched so far; undefined for what is gone. */
  readonly #results = new Map<string, PatchedFile | undefined>()
  /** Paths that the patch takes away somewhere: something else may take their place before. */
  readonly #leaving: ReadonlySet<string>

  constructor(store: ObjectReader, tree: Oid, limits: PatchLimits, patches: readonly FilePatch[]) {
    this.#store = store
    this.#tree = tree
    this.#limits = limits
    this.#leaving = new Set(
      patches.filter(({ kind }) => kind === 'delete' || kind === 'rename').flatMap(({ oldName }) => (oldName === undefined ? [] : [pathOf(oldName)])),
    )
  }

  apply(patch: FilePatch): void {
    const oldPath = patch.oldName === undefined ? undefined : pathOf(patch.oldName)
    const newPath = patch.newName === undefined ? undefined : pathOf(patch.newName)
    const before = oldPath === undefined ? undefined : this.#preimage(patch, oldPath)
    const mode = this.#modeOf(patch, before, (newPath ?? oldPath) as string)
    const content = patched(
      patch,
      before === undefined ? new Uint8Array(0) : contentOf(before),
      (newPath ?? oldPath) as string,
      this.#limits.maxFileBytes,
      this.#store,
    )
    if (patch.kind === 'delete' && content.length > 0) throw refused(oldPath as string, 'the patch deletes the file, but not all of its content')
    if (newPath !== undefined && newPath !== oldPath) this.#checkFree(newPath, patch)
    if (oldPath !== undefined && patch.kind !== 'copy' && oldPath !== newPath) this.#results.set(oldPath, undefined)
    if (newPath !== undefined) this.#results.set(newPath, fileOf(newPath, mode, content))
  }

  /** All that changed, once it is certain that no file lies below another one. */
  finish(): PatchedEntry[] {
    const entries: PatchedEntry[] = []
    for (const [path, file] of this.#results) {
      const old = this.#entry(path)
      if (file !== undefined) this.#checkPlace(path, old)
      if (old !== undefined || file !== undefined) entries.push({ path, old, new: file })
    }
    return entries
  }

  /** What moves or is copied is taken as the tree has it, whatever other parts of the patch do; else parts build on one another. */
  #preimage(patch: FilePatch, path: string): PatchedFile {
    const isAsEver = patch.kind === 'rename' || patch.kind === 'copy' || !this.#results.has(path)
    const file = isAsEver ? this.#read(path) : this.#results.get(path)
    if (file === undefined) throw refused(path, 'the file does not exist')
    if (patch.oldMode !== undefined && file.mode >> 12 !== patch.oldMode >> 12) throw refused(path, 'its file type differs')
    return file
  }

  #read(path: string): PatchedFile | undefined {
    const entry = this.#entry(path)
    if (entry === undefined || entry.mode === TREE_MODE) return undefined
    if (entry.mode === GITLINK_MODE) return { mode: GITLINK_MODE, oid: entry.oid }
    return { mode: entry.mode, data: this.#store.get(entry.oid, 'blob', this.#limits.maxFileBytes).data }
  }

  #entry(path: string): PathEntry | undefined {
    return new PathFinder(this.#store, path).find(this.#tree)
  }

  #modeOf(patch: FilePatch, before: PatchedFile | undefined, path: string): number {
    const mode = patch.newMode ?? before?.mode ?? FILE_MODE
    if (!modes.has(mode)) throw refused(path, `${mode.toString(8)} is not a valid file mode`)
    if (before !== undefined && patch.kind !== 'delete' && mode >> 12 !== before.mode >> 12) throw refused(path, 'a patch cannot change the type of a file')
    return mode
  }

  #checkFree(path: string, { kind }: FilePatch): void {
    const isThere = this.#results.has(path) ? this.#results.get(path) !== undefined : this.#isFile(path) && !this.#leaving.has(path)
    if (isThere) throw refused(path, kind === 'create' ? 'the file already exists' : 'another file with this name already exists')
  }

  /** No directory may be there, unless all of it goes; and above it nothing but directories. */
  #checkPlace(path: string, old: PathEntry | undefined): void {
    if (old?.mode === TREE_MODE && !this.#goesWhole(path, old.oid)) throw refused(path, 'a directory with this name exists')
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const above = parts.slice(0, depth).join('/')
      const isFile = this.#results.has(above) ? this.#results.get(above) !== undefined : this.#isFile(above)
      if (isFile) throw refused(path, `"${above}" is not a directory`)
    }
  }

  #goesWhole(path: string, tree: Oid): boolean {
    for (const { path: below } of diffTrees(this.#store, tree, undefined)) {
      const full = `${path}/${below}`
      if (!this.#results.has(full) || this.#results.get(full) !== undefined) return false
    }
    return true
  }

  #isFile(path: string): boolean {
    const entry = this.#entry(path)
    return entry !== undefined && entry.mode !== TREE_MODE
  }
}

/** @throws GitError `refused` for a name that no file may have */
function pathOf(name: string): string {
  const bytes = Buffer.from(name, 'latin1')
  const path = bytes.toString()
  const hostility =
    isUtf8(bytes) && !name.includes('\0')
      ? path
          .split('/')
          .map(findHostility)
          .find((found) => found !== undefined)
      : 'a name that is not UTF-8'
  if (hostility !== undefined) throw refused(path, `it has ${hostility}`)
  return path
}

function contentOf(file: PatchedFile): Uint8Array {
  return 'data' in file ? file.data : Buffer.from(`Subproject commit ${file.oid}\n`)
}

function fileOf(path: string, mode: number, data: Uint8Array): PatchedFile {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (mode === SYMLINK_MODE && isDotGitmodules(name)) throw refused(path, 'it must not be a symbolic link')
  if (mode !== GITLINK_MODE) return { mode, data }
  const oid = /^Subproject commit ([0-9a-f]+)\n?$/.exec(Buffer.from(data).toString('latin1'))?.[1] ?? ''
  if (!isOid(oid) || /^0+$/.test(oid)) throw refused(path, 'a submodule must name a commit')
  return { mode: GITLINK_MODE, oid }
}

function patched(patch: FilePatch, before: Uint8Array, path: string, maxBytes: number, store: ObjectReader): Uint8Array {
  if (patch.binary !== undefined) return patchedBinary(patch, before, path, maxBytes, store)
  if (patch.hunks.length === 0) return before
  const after = Buffer.from(applyHunks(Buffer.from(before).toString('latin1'), patch.hunks, path), 'latin1')
  if (after.length > maxBytes)
    throw new GitError('limit', `Cannot apply patch to "${path}": the result would have ${after.length} bytes, the limit is ${maxBytes}`)
  return after
}

/** The content must be the very one that the patch was made for, and become the one that it was made of. */
function patchedBinary({ binary, oldId, newId }: FilePatch, before: Uint8Array, path: string, maxBytes: number, store: ObjectReader): Uint8Array {
  const { format } = store
  if (!isOid(oldId) || !isOid(newId)) throw refused(path, 'a binary patch needs full object IDs in its index line')
  const isNew = oldId === format.zero
  if (isNew ? before.length > 0 : hashObject(format, 'blob', before) !== oldId) throw refused(path, 'the binary patch does not match the current content')
  if (newId === format.zero) return new Uint8Array(0)
  const after = binary?.kind === 'delta' ? refusingFaults(() => applyDelta(before, binary.data, maxBytes)) : (binary?.data ?? before)
  if (hashObject(format, 'blob', after) !== newId) throw refused(path, 'the result of the binary patch does not match its index line')
  return after
}

/** What is wrong with a patch is its sender's fault, never that of what is stored. */
function refusingFaults<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GitError && error.kind === 'corrupt') throw new GitError('refused', error.message, { cause: error })
    throw error
  }
}

function refused(path: string, reason: string): GitError {
  return new GitError('refused', `Cannot apply patch to "${path}": ${reason}`)
}
