import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { syncDirectory } from '../store/sync-directory.ts'

/** A pack and what belongs to it; the index goes last, because without it nobody sees the pack. */
const ENDINGS = ['.pack', '.mtimes', '.idx']

/** Moves finished packs from a quarantine among the repository's own, durably; returns their names without ending. */
export function publishPacks(packPaths: readonly string[], packDirectory: string): ReadonlySet<string> {
  mkdirSync(packDirectory, { recursive: true })
  const stems = packPaths.map((path) => path.slice(0, -'.pack'.length))
  for (const stem of stems) {
    for (const ending of ENDINGS) if (existsSync(stem + ending)) renameSync(stem + ending, join(packDirectory, basename(stem) + ending))
  }
  syncDirectory(packDirectory)
  return new Set(stems.map((stem) => basename(stem)))
}
