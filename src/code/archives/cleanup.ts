import { readdir } from 'node:fs/promises'
import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import { archiveCache, archiveDirectory } from './cache.ts'

export const CLEANUP_TASK = 'archive_cleanup'
export const CLEANUP_SECONDS = 3600

/** Removes the archives of repositories that are gone. Nobody can ask for them any more: their ids are never given again. */
export async function dropOrphans(context: Pick<Context, 'config' | 'db' | 'services'>): Promise<void> {
  const names = await readdir(archiveDirectory(context)).catch(() => [])
  const ids = new Set(names.map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger))
  for (const id of ids) if (!accessStore.findRepoById(context.db, id)) await archiveCache(context).forget(`${id}-`)
}
