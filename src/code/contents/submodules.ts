import type { Context } from '#context.ts'
import { readGitConfig } from '#git/objects/git-config.ts'
import type { Oid } from '#git/objects/oid.ts'

const MAX_GITMODULES = 64 * 1024

/** Where the submodules of a tree come from, by path. Read only when asked; a file that is absent, odd or too large names none. */
export async function readSubmodules(context: Pick<Context, 'git'>, repoId: number, tree: Oid): Promise<Map<string, string>> {
  const found = await context.git.run('openPath', repoId, { tree, path: '.gitmodules', maxBytes: MAX_GITMODULES })
  return found?.data === undefined ? new Map() : parseGitmodules(found.data)
}

/** The `path` and `url` of each submodule. Source: git's `Documentation/gitmodules.adoc`. */
export function parseGitmodules(data: Uint8Array): Map<string, string> {
  const submodules = new Map<string, { path?: string; url?: string }>()
  for (const { section, key, value } of readGitConfig(Buffer.from(data).toString('latin1'))) {
    if (!section.startsWith('submodule.') || (key !== 'path' && key !== 'url') || value === undefined) continue
    submodules.getOrInsertComputed(section, () => ({}))[key] = Buffer.from(value, 'latin1').toString('utf8')
  }
  return new Map([...submodules.values()].flatMap(({ path, url }) => (path === undefined || url === undefined ? [] : [[path, url]])))
}
