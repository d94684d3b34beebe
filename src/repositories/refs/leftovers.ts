import { readdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#context.ts'
import { namesWithoutPack } from '#git/packs/write/publish.ts'
import { removeTree } from '#git/store/remove-tree.ts'
import { randomHex } from '#kernel/ids.ts'

/**
 * Names of what is there only while somebody works on it: quarantines in `objects`, files on their way in the repository's directory.
 * They tell which process made them: the data directory is one process' alone, so whatever another one made is left over.
 */
const process = randomHex(4)
const quarantine = /^tmp_(?:incoming|upkeep|blob|fork)-/
const temporary = /^(?:refs-.*|packed-refs\..*|HEAD\..*)\.tmp$/
/** What nobody makes any more: earlier versions left them. */
const formerly = { info: /^commit-graph\..*\.tmp$/, pack: /^pack-.*\.idx\.tmp$/ }

export function quarantineName(kind: 'incoming' | 'upkeep' | 'blob' | 'fork'): string {
  return `tmp_${kind}-${process}-${randomHex(8)}`
}

/** Where upkeep of a repository puts files, or a directory of them, that are not whole yet. */
export function temporaryIn(gitDir: string): string {
  return join(gitDir, 'objects', quarantineName('upkeep'))
}

export function temporaryName(kind: 'refs'): string {
  return `${kind}-${process}-${randomHex(8)}.tmp`
}

/** What could not be removed when nobody needed it any more. */
class Unremoved {
  readonly paths = new Set<string>()
}

/** Removes a quarantine, or a file on its way. That it cannot be removed now is no reason to fail: `discardAgain` goes on with it. */
export async function discard(context: Pick<Context, 'log' | 'services'>, path: string): Promise<void> {
  const { paths } = context.services.get(Unremoved)
  try {
    await removeTree(path)
    paths.delete(path)
  } catch (error) {
    paths.add(path)
    context.log.error('cannot remove a quarantine directory', error, { path })
  }
}

/** Removes what could not be removed before. */
export async function discardAgain(context: Pick<Context, 'log' | 'services'>): Promise<void> {
  for (const path of context.services.get(Unremoved).paths) await discard(context, path)
}

/** Paths of all that looks unfinished in a repository, whoever made it. */
export function listUnfinished(gitDir: string): string[] {
  const objects = join(gitDir, 'objects')
  return [
    ...namesIn(objects, readdirSync)
      .filter((name) => quarantine.test(name))
      .map((name) => join(objects, name)),
    ...namesIn(gitDir, readdirSync)
      .filter((name) => temporary.test(name))
      .map((name) => join(gitDir, name)),
    ...listStrays(objects),
  ]
}

/** Indexes and the like whose pack was not there yet, or no more, and files that were not whole. In one turn no pack comes or goes in between. */
function listStrays(objects: string): string[] {
  const [info, packs] = [join(objects, 'info'), join(objects, 'pack')]
  const inPacks = namesIn(packs, readdirSync)
  return [
    ...namesWithoutPack(inPacks).map((name) => join(packs, name)),
    ...inPacks.filter((name) => formerly.pack.test(name)).map((name) => join(packs, name)),
    ...namesIn(info, readdirSync)
      .filter((name) => formerly.info.test(name))
      .map((name) => join(info, name)),
  ]
}

/** Removes what an earlier process left. @throws Error when an index without a pack cannot be removed */
export async function sweepUnfinished(context: Pick<Context, 'log' | 'services'>, gitDir: string): Promise<void> {
  const objects = join(gitDir, 'objects')
  const [inObjects, own] = await Promise.all([namesThere(objects), namesThere(gitDir)])
  const left = [
    ...inObjects.filter((name) => quarantine.test(name)).map((name) => join(objects, name)),
    ...own.filter((name) => temporary.test(name)).map((name) => join(gitDir, name)),
  ]
  for (const path of left) if (!path.includes(`-${process}-`)) await discard(context, path)
  for (const path of listStrays(objects)) rmSync(path, { force: true })
}

function namesIn(path: string, list: (path: string) => string[]): string[] {
  try {
    return list(path)
  } catch {
    return []
  }
}

function namesThere(path: string): Promise<string[]> {
  return readdir(path).catch(() => [])
}
