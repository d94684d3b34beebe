import { lstatSync, mkdirSync, renameSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '#context.ts'
import { removeTree } from '#git/store/remove-tree.ts'
import { syncDirectory } from '#git/store/sync-directory.ts'
import { Conflict } from '#kernel/errors.ts'
import { randomHex } from '#kernel/ids.ts'
import { discard } from '#repositories/refs/index.ts'

/**
 * Where repositories wait to be adopted: `repositories/<owner>/<name>.git`, as a Gitea server has them, beside our own
 * `repositories/<id>.git`. No account's name begins with a dot or ends with `.git`.
 */
const ending = '.git'
/** Directories of ours: what an adoption works in, and what is on its way out. */
const workName = /^\.import-[0-9a-f]{16}$/
const removedName = /^\.removed-[0-9a-f]{16}$/

/** The directory of all repositories, ours and those that wait. */
function rootOf(context: Pick<Context, 'git'>): string {
  return dirname(context.git.pathOf(0))
}

/** A directory for an adoption to work in, on the file system where repositories lie. It goes when it is disposed of, or as soon as the disk lets it. */
export function makeWorkPlace(context: Pick<Context, 'git' | 'log' | 'services'>): { path: string } & AsyncDisposable {
  const path = join(rootOf(context), `.import-${randomHex(8)}`)
  const hold = claimPlace(path)
  mkdirSync(path)
  return {
    path,
    async [Symbol.asyncDispose]() {
      context.git.pool.forget(path)
      await discard(context, path)
      hold[Symbol.dispose]()
    },
  }
}

/** Places that somebody works on. */
const claimed = new Set<string>()

/** Keeps others off a place until it is disposed of. @throws Conflict when somebody else has it */
export function claimPlace(path: string): Disposable {
  if (claimed.has(path)) throw new Conflict('The repository is already being adopted or deleted.')
  claimed.add(path)
  return { [Symbol.dispose]: () => claimed.delete(path) }
}

/** Names of the directories in which owners' repositories may wait. */
export async function listOwnerPlaces(context: Pick<Context, 'git'>): Promise<string[]> {
  const names = await directoriesIn(rootOf(context))
  return names.filter((name) => !name.startsWith('.') && !name.toLowerCase().endsWith(ending))
}

/** Names of the repositories that wait in one of these, without their ending. */
export async function listRepoPlaces(context: Pick<Context, 'git'>, ownerPlace: string): Promise<string[]> {
  const names = await directoriesIn(join(rootOf(context), ownerPlace))
  return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
}

/**
 * The directory of a repository that waits, or undefined. Gitea writes all names in lower case, people as they like: the
 * names as given go before those in lower case. `owner` and `name` have been found to be names of an account and a repository.
 */
export function findPlace(context: Pick<Context, 'git'>, owner: string, name: string): string | undefined {
  const ownerPlace = [owner, owner.toLowerCase()].map((one) => join(rootOf(context), one)).find(isDirectory)
  if (ownerPlace === undefined) return undefined
  return [name, name.toLowerCase()].map((one) => join(ownerPlace, one + ending)).find(isDirectory)
}

/** The directory of the wiki that waits beside a repository, as Gitea has it, or undefined. */
export function findWikiPlace(path: string): string | undefined {
  const beside = `${path.slice(0, -ending.length)}.wiki${ending}`
  return isDirectory(beside) ? beside : undefined
}

/**
 * Takes a directory out of sight at once, and removes it in the background.
 * @throws Error when the system refuses
 */
export function removePlace(context: Pick<Context, 'tasks'>, path: string): void {
  const aside = join(dirname(path), `.removed-${randomHex(8)}`)
  renameSync(path, aside)
  syncDirectory(dirname(path))
  void context.tasks.start('remove repository files', () => removeTree(aside))
}

/** Removes what a crash left of adoptions and removals. Call at start. */
export async function sweepUnadopted(context: Pick<Context, 'git' | 'log' | 'services'>): Promise<void> {
  const root = rootOf(context)
  const left = (await directoriesIn(root)).filter((name) => workName.test(name)).map((name) => join(root, name))
  for (const owner of await listOwnerPlaces(context)) {
    const names = await directoriesIn(join(root, owner))
    left.push(...names.filter((name) => removedName.test(name)).map((name) => join(root, owner, name)))
  }
  for (const path of left.filter((one) => !claimed.has(one))) await discard(context, path)
}

/** Symbolic links are none, wherever they lead. */
function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Nothing for a directory that is gone or may not be read. */
async function directoriesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
