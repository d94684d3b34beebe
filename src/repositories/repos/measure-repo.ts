import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import { setSize } from './store.ts'

/** Brings `size` of a repository up to date with its objects on disk; writes nothing when it is. */
export async function measureRepo(context: Pick<Context, 'db' | 'git'>, repoId: number): Promise<void> {
  const bytes = await bytesIn(join(context.git.pathOf(repoId), 'objects'))
  if (accessStore.findRepoById(context.db, repoId)?.size_bytes !== bytes) context.db.provisional((tx) => setSize(tx, repoId, bytes))
}

/** Files that vanish meanwhile, because upkeep joined them, do not count. */
async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          (file) => file.size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
