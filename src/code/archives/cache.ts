import { join } from 'node:path'
import type { Context } from '#context.ts'
import { ArchiveCache } from '#git/archive/archive-cache.ts'

const caches = new WeakMap<Context, ArchiveCache>()

/** Archives of all repositories; every name begins with the repository's id and a dash, so that no repository gets another's. */
export function archiveCache(context: Context): ArchiveCache {
  const known = caches.get(context)
  if (known) return known
  const cache = new ArchiveCache({ directory: archiveDirectory(context), maxBytes: context.config.repository.ARCHIVE_CACHE_SIZE })
  caches.set(context, cache)
  return cache
}

export function archiveDirectory({ config }: Pick<Context, 'config'>): string {
  return join(config.dataPath, 'archives')
}
