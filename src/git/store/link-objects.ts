import { linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectory } from './sync-directory.ts'

/** What file systems say that have no further name for a file: others, or too many names already. */
const NO_LINKS = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
/** A pack is seen by its index, so that comes last. */
const PACK_FILE = /^pack-[0-9a-f]{40,64}\.(pack|mtimes|rev|bitmap|idx)$/
const order = ['pack', 'mtimes', 'rev', 'bitmap', 'idx']

/**
 * Gives every object of one repository to another, which has none yet, durably and without copying a byte: each file gets a second
 * name. Files of objects are never changed once they are there, only replaced, so what either repository does with its names is nothing
 * to the other. The caller sees to it that no file of the first comes or goes meanwhile.
 * @returns false where the file system cannot; then some may have been given
 */
export function linkObjects(fromGitDir: string, toGitDir: string): boolean {
  const [from, to] = [join(fromGitDir, 'objects'), join(toGitDir, 'objects')]
  const packs = namesIn(join(from, 'pack')).filter((name) => PACK_FILE.test(name))
  const rank = (name: string) => order.indexOf(name.slice(name.lastIndexOf('.') + 1))
  try {
    for (const name of packs.sort((a, b) => rank(a) - rank(b))) linkSync(join(from, 'pack', name), join(to, 'pack', name))
    for (const folder of namesIn(from).filter((name) => /^[0-9a-f]{2}$/.test(name))) linkLoose(join(from, folder), join(to, folder))
    if (namesIn(join(from, 'info')).includes('commit-graph')) linkSync(join(from, 'info', 'commit-graph'), join(to, 'info', 'commit-graph'))
  } catch (error) {
    if (NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
  for (const folder of ['pack', 'info', '.']) syncDirectory(join(to, folder))
  return true
}

function linkLoose(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of namesIn(from)) if (/^[0-9a-f]{38,62}$/.test(name)) linkSync(join(from, name), join(to, name))
  syncDirectory(to)
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
