import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolders } from '../../store/make-folders.ts'
import { syncDirectory } from '../../store/sync-directory.ts'
import { mtimesPath } from './mtimes.ts'

/** What belongs to a pack, with what git adds. */
const BESIDE = ['.idx', '.rev', '.bitmap', '.mtimes', '.promisor']

/**
 * Moves finished packs from a quarantine among the repository's own, durably; returns their names without ending. The pack goes last: without it
 * nobody looks at the rest, of which nothing is lost when it is cleared away after a crash. Of a pack without an index nobody could tell whether
 * something needs it.
 * @throws Error when one is not there any more, as when somebody's `git prune` took the quarantine away
 */
export function publishPacks(packPaths: readonly string[], packDirectory: string): ReadonlySet<string> {
  makeFolders(dirname(packDirectory), packDirectory)
  for (const pack of packPaths) {
    const mtimes = mtimesPath(pack)
    if (existsSync(mtimes)) renameSync(mtimes, join(packDirectory, basename(mtimes)))
    for (const path of [pack.replace(/\.pack$/, '.idx'), pack]) renameSync(path, join(packDirectory, basename(path)))
  }
  syncDirectory(packDirectory)
  return new Set(packPaths.map((path) => basename(path, '.pack')))
}

/** Removes a pack, and then what belongs to it. @param path of the pack */
export function removePack(path: string): void {
  const stem = path.slice(0, -'.pack'.length)
  for (const ending of ['.pack', ...BESIDE]) rmSync(stem + ending, { force: true })
}

/** Of the names in a pack directory those that belong to a pack which is not among them. */
export function namesWithoutPack(names: readonly string[]): string[] {
  const present = new Set(names)
  return names.filter((name) => {
    const ending = BESIDE.find((one) => name.startsWith('pack-') && name.endsWith(one))
    return ending !== undefined && !present.has(`${name.slice(0, -ending.length)}.pack`)
  })
}
