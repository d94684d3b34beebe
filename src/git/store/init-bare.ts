import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GitError } from '../errors.ts'
import type { ObjectFormat } from '../objects/oid.ts'
import { branchRef } from '../refs/names.ts'
import { syncDirectory } from './sync-directory.ts'
import { writeSynced } from './write-synced.ts'

const FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']

/**
 * Makes `gitDir` (and what lies above it) a plain bare repository without objects, as `git init --bare` does but without hooks.
 * @throws GitError `refused` when there is a repository already, or `defaultBranch` is no name for a branch
 */
export function initBareRepository(gitDir: string, defaultBranch: string, format: ObjectFormat): void {
  const head = branchRef(defaultBranch)
  if (existsSync(join(gitDir, 'HEAD'))) throw new GitError('refused', 'Cannot create repository: there is one already')
  for (const folder of FOLDERS) mkdirSync(join(gitDir, folder), { recursive: true })
  writeSynced(join(gitDir, 'config'), Buffer.from(configFor(format)))
  // Last, because a directory without it is no repository.
  writeSynced(join(gitDir, 'HEAD'), Buffer.from(`ref: ${head}\n`))
  for (const folder of ['objects', 'refs', '.']) syncDirectory(join(gitDir, folder))
  syncDirectory(dirname(gitDir))
}

/** Source: `Documentation/technical/repository-version.txt`: a format other than SHA-1 is an extension, which version 1 allows. */
function configFor(format: ObjectFormat): string {
  const isSha1 = format.name === 'sha1'
  const core = `[core]\n\trepositoryformatversion = ${isSha1 ? 0 : 1}\n\tfilemode = true\n\tbare = true\n`
  return isSha1 ? core : `${core}[extensions]\n\tobjectformat = ${format.name}\n`
}
