import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'

/** Paths of a repository's packs. */
export function listPacks(context: Pick<Context, 'git'>, repo: RepoRow): string[] {
  const directory = join(context.git.pathOf(repo.id), 'objects', 'pack')
  return readdirSync(directory)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(directory, name))
}
