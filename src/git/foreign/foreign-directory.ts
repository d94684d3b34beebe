import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { GitError } from '../errors.ts'

export type FileKind = 'file' | 'directory' | 'other'

export interface ForeignEntry {
  name: string
  /** `other`: a symbolic link, a pipe, a device. */
  kind: FileKind
}

/** Neither through a symbolic link, nor waiting for whoever writes into a pipe. Windows knows neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * A directory that somebody else filled. Only plain files in plain directories are read: a symbolic link, which could
 * lead anywhere on the machine, is refused. Paths are relative, with slashes; only the last part of one is looked at, so
 * go down directory by directory.
 */
export class ForeignDirectory {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** What lies at `relative`; undefined when nothing does. */
  kindOf(relative: string): FileKind | undefined {
    const stat = readable(relative, () => lstatSync(join(this.path, relative), { throwIfNoEntry: false }))
    return stat && kindOf(stat)
  }

  /** What a directory holds, sorted; nothing when it is not there. @throws GitError `refused` when it is something else */
  entries(relative: string): ForeignEntry[] {
    const kind = this.kindOf(relative)
    if (kind === undefined) return []
    if (kind !== 'directory') throw unlike(relative, 'directory')
    const entries = readable(relative, () => readdirSync(join(this.path, relative), { withFileTypes: true }))
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** A file's text; undefined when there is none. @throws GitError `refused` when it is no plain file, `limit` when it is larger, `corrupt` when it is not UTF-8 */
  readText(relative: string, maxBytes: number): string | undefined {
    const kind = this.kindOf(relative)
    if (kind === undefined) return undefined
    if (kind !== 'file') throw unlike(relative, 'file')
    const bytes = readable(relative, () => this.#read(relative, maxBytes))
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch (cause) {
      throw new GitError('corrupt', `${relative} is not UTF-8`, { cause })
    }
  }

  #read(relative: string, maxBytes: number): Uint8Array {
    const fd = openSync(join(this.path, relative), OPEN_FLAGS)
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile()) throw unlike(relative, 'file')
      if (stat.size > maxBytes) throw new GitError('limit', `${relative} is larger than ${maxBytes} bytes`)
      const bytes = new Uint8Array(stat.size)
      return bytes.subarray(0, readSync(fd, bytes))
    } finally {
      closeSync(fd)
    }
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): FileKind {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other'
}

/** @returns the error for something that is neither missing nor what it should be */
export function unlike(relative: string, wanted: 'file' | 'directory'): GitError {
  return new GitError('refused', `${relative} is not a plain ${wanted}`)
}

/** Runs a file operation; says which file could not be read, and why, when the system refuses. */
function readable<T>(relative: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GitError) throw error
    throw new GitError('refused', `${relative} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`, { cause: error })
  }
}
