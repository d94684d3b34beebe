import { existsSync, mkdirSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GitError } from '../errors.ts'
import type { ObjectFormat } from '../objects/oid.ts'
import { branchRef } from '../refs/names.ts'
import { syncDirectory } from './sync-directory.ts'
import { writeSynced } from './write-synced.ts'

const FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']
/** If one of these is missing, git does not recognize the repository or guesses its settings. */
const PARTS = ['HEAD', 'config', 'objects', 'refs']

/**
 * Makes `gitDir` (and what lies above it) a plain bare repository without objects, as `git init --bare` does but without hooks.
 * @throws GitError `refused` when there is a repository already, or `defaultBranch` is no name for a branch
 */
export function initBareRepository(gitDir: string, defaultBranch: string, format: ObjectFormat): void {
  if (existsSync(join(gitDir, 'HEAD'))) throw new GitError('refused', 'Cannot create repository: it already exists')
  // An interrupted run can have left a config for another object format.
  if (existsSync(join(gitDir, 'config'))) unlinkSync(join(gitDir, 'config'))
  completeBareRepository(gitDir, defaultBranch, format)
  syncDirectory(dirname(gitDir))
}

/** Returns which files and folders a bare repository lacks. */
export function listMissingParts(gitDir: string): string[] {
  return PARTS.filter((part) => !existsSync(join(gitDir, part)))
}

/** Creates the files and folders that a bare repository lacks, and keeps those that are there. */
export function completeBareRepository(gitDir: string, defaultBranch: string, format: ObjectFormat): void {
  const head = branchRef(defaultBranch)
  for (const folder of FOLDERS) mkdirSync(join(gitDir, folder), { recursive: true })
  writeMissing(join(gitDir, 'config'), configFor(format))
  // Last, because a directory without it is no repository.
  writeMissing(join(gitDir, 'HEAD'), `ref: ${head}\n`)
  for (const folder of ['objects', 'refs', '.']) syncDirectory(join(gitDir, folder))
}

function writeMissing(path: string, text: string): void {
  if (!existsSync(path)) writeSynced(path, Buffer.from(text))
}

/** Source: `Documentation/technical/repository-version.txt`: a format other than SHA-1 is an extension, which version 1 allows. */
function configFor(format: ObjectFormat): string {
  const isSha1 = format.name === 'sha1'
  const core = `[core]\n\trepositoryformatversion = ${isSha1 ? 0 : 1}\n\tfilemode = true\n\tbare = true\n`
  return isSha1 ? core : `${core}[extensions]\n\tobjectformat = ${format.name}\n`
}
