import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Oid } from '../objects/oid.ts'
import { makeFolders } from '../store/make-folders.ts'
import { syncDirectory } from '../store/sync-directory.ts'

/**
 * Refs on disk, as stock git reads them: loose files under `refs/` before the lines of `packed-refs`. Source: `Documentation/gitrepository-layout.txt`.
 * What is written is durable when a function returns, directories included: whoever notes that it is written never looks again.
 */

/** What `packed-refs` begins with: every tag is peeled. Source: `git pack-refs`. */
export const PACKED_HEADER = '# pack-refs with: peeled fully-peeled sorted \n'

/** Writes `packed-refs` whole, and then removes all loose refs: the file must hold every ref. `texts` are its lines, in pieces. */
export async function writePackedRefs(gitDir: string, temporary: string, texts: AsyncIterable<string>): Promise<void> {
  const path = join(gitDir, temporary)
  const fd = openSync(path, 'wx', 0o644)
  try {
    writeWhole(fd, PACKED_HEADER)
    for await (const text of texts) writeWhole(fd, text)
    fsyncSync(fd)
  } catch (error) {
    discard(fd, path)
    throw error
  }
  moveInto(fd, path, join(gitDir, 'packed-refs'))
  syncDirectory(gitDir)
  removeLoose(join(gitDir, 'refs'))
}

/**
 * Writes some refs loose, which costs the same however many there are.
 * @returns false when one cannot be written so, because what was a directory must be a file or the other way round
 */
export function writeLooseRefs(gitDir: string, temporary: string, refs: readonly { name: string; oid: Oid }[]): boolean {
  const changed = new Set<string>()
  try {
    for (const { name, oid } of refs) {
      const path = join(gitDir, name)
      const made = makeFolders(join(gitDir, 'refs'), dirname(path))
      for (const folder of foldersFrom(made, dirname(path))) changed.add(folder)
      replaceFile(path, join(gitDir, temporary), `${oid}\n`)
    }
    for (const folder of changed) syncDirectory(folder)
    return true
  } catch (error) {
    rmSync(join(gitDir, temporary), { force: true })
    if (['EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Most pushes leave HEAD as it is. */
export function writeHead(gitDir: string, temporary: string, text: string): void {
  const path = join(gitDir, 'HEAD')
  if (existsSync(path) && readFileSync(path, 'latin1') === text) return
  replaceFile(path, join(gitDir, temporary), text)
  syncDirectory(gitDir)
}

/** A directory, and those above it as far as the one in which the first of them was made. */
function* foldersFrom(made: string | undefined, folder: string): Generator<string> {
  yield folder
  if (made !== undefined && folder.length >= made.length) yield* foldersFrom(made, dirname(folder))
}

function replaceFile(path: string, temporary: string, text: string): void {
  const fd = openSync(temporary, 'wx', 0o644)
  try {
    writeWhole(fd, text)
    fsyncSync(fd)
  } catch (error) {
    discard(fd, temporary)
    throw error
  }
  moveInto(fd, temporary, path)
}

function moveInto(fd: number, temporary: string, path: string): void {
  closeSync(fd)
  try {
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Of what cannot be written whole nothing is left, least of all on a disk that is full. */
function discard(fd: number, path: string): void {
  closeSync(fd)
  rmSync(path, { force: true })
}

function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
}

/** `refs/heads` and `refs/tags` stay: git takes a directory without `refs` for no repository. */
function removeLoose(refs: string): void {
  for (const entry of readdirSync(refs)) {
    const path = join(refs, entry)
    if (entry !== 'heads' && entry !== 'tags') rmSync(path, { recursive: true, force: true })
    else for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true })
  }
}
