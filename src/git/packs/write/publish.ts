import { existsSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolders } from '../../store/make-folders.ts'
import { syncDirectory } from '../../store/sync-directory.ts'

/**
 * A pack and what belongs to it. The pack goes last: without it nobody looks at the rest, of which nothing is lost when it is cleared away after
 * a crash. Of a pack without an index nobody could tell whether something needs it.
 */
const ENDINGS = ['.mtimes', '.idx', '.pack']
/** What belongs to it, with what git adds. */
const BESIDE = ['.idx', '.rev', '.bitmap', '.mtimes', '.promisor']

/** Moves finished packs from a quarantine among the repository's own, durably; returns their names without ending. */
export function publishPacks(packPaths: readonly string[], packDirectory: string): ReadonlySet<string> {
  makeFolders(dirname(packDirectory), packDirectory)
  const stems = packPaths.map((path) => path.slice(0, -'.pack'.length))
  for (const stem of stems) {
    for (const ending of ENDINGS) if (existsSync(stem + ending)) renameSync(stem + ending, join(packDirectory, basename(stem) + ending))
  }
  syncDirectory(packDirectory)
  return new Set(stems.map((stem) => basename(stem)))
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
