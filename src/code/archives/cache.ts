import { join } from 'node:path'
import type { Context } from '#context.ts'
import { ArchiveCache } from '#git/archive/archive-cache.ts'

/** Archives of all repositories; every name begins with the repository's id and a dash, so that no repository gets another's. */
class Archives extends ArchiveCache {
  constructor(context: Pick<Context, 'config'>) {
    super({ directory: archiveDirectory(context), maxBytes: context.config.repository.ARCHIVE_CACHE_SIZE })
  }
}

export function archiveCache({ services }: Pick<Context, 'services'>): ArchiveCache {
  return services.get(Archives)
}

export function archiveDirectory({ config }: Pick<Context, 'config'>): string {
  return join(config.dataPath, 'archives')
}
