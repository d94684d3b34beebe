import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { isRefName } from '#git/refs/names.ts'
import { breathe } from '#kernel/breathe.ts'
import { KeyedMutex } from '#kernel/keyed-mutex.ts'
import type { ChangedRef } from './ref-chunks.ts'
import type { RefUpdate } from './ref-update.ts'

/** Names looked at in one go: of those that refs can have, a few milliseconds. */
const SLICE = 500

const CREATED = 1
const DELETED = 2
const REPEATED = 4

class Listening {
  readonly byRepo = new Map<number, StagedNames>()
}

/** By repository: of each, one push at a time writes ahead. */
export class StagingMutex extends KeyedMutex {}

/** The names of refs that are being written ahead. It hears of other changes to the repository's refs until they are made visible. */
export class StagedNames {
  /** Of the repository's refs, as far as none of the others' changes is in the way. */
  version = 0
  /** Another change is in the way: all has to be judged again. */
  isStale = false
  readonly #kinds = new Map<string, number>()
  /** Where refs that are created or moved lie. */
  readonly #directories = new Set<string>()

  static async of(updates: readonly RefUpdate[]): Promise<StagedNames> {
    const names = new StagedNames()
    for (const [i, update] of updates.entries()) {
      names.#add(update)
      if (i % SLICE === SLICE - 1) await breathe()
    }
    return names
  }

  static isListening(context: Pick<Context, 'services'>, repoId: number): boolean {
    return context.services.get(Listening).byRepo.has(repoId)
  }

  /** As a new process knows nothing of it. */
  static forget(context: Pick<Context, 'services'>, repoId: number): void {
    context.services.get(Listening).byRepo.delete(repoId)
  }

  #add({ name, new: oid }: RefUpdate): void {
    const kind = oid === SHA1.zero ? DELETED : CREATED
    this.#kinds.set(name, kind | (this.#kinds.has(name) ? REPEATED : 0))
    // Names that no ref can have are refused, and may lie in hundreds of directories.
    if (kind === CREATED && isRefName(name)) for (const directory of directoriesOf(name)) this.#directories.add(directory)
  }

  has(name: string): boolean {
    return this.#kinds.has(name)
  }

  /** Or moved. */
  isCreated(name: string): boolean {
    return ((this.#kinds.get(name) ?? 0) & CREATED) !== 0
  }

  isDeleted(name: string): boolean {
    return ((this.#kinds.get(name) ?? 0) & DELETED) !== 0
  }

  /** Of refs that are created or moved. */
  isDirectory(name: string): boolean {
    return this.#directories.has(name)
  }

  isRepeated(name: string): boolean {
    return ((this.#kinds.get(name) ?? 0) & REPEATED) !== 0
  }

  listen(context: Pick<Context, 'services'>, repoId: number): void {
    context.services.get(Listening).byRepo.set(repoId, this)
  }

  end(context: Pick<Context, 'services'>, repoId: number): void {
    const { byRepo } = context.services.get(Listening)
    if (byRepo.get(repoId) === this) byRepo.delete(repoId)
  }

  #hear(version: number, changes: readonly ChangedRef[] | undefined): void {
    this.isStale ||= version !== this.version + 1 || changes === undefined || changes.some((change) => this.#isInTheWay(change))
    this.version = version
  }

  #isInTheWay({ name, now }: ChangedRef): boolean {
    if (this.#kinds.has(name)) return true
    return now !== undefined && (this.#directories.has(name) || directoriesOf(name).some((directory) => this.isCreated(directory)))
  }

  /** Others have changed refs; without `changes`, any. */
  static tell(context: Pick<Context, 'services'>, repoId: number, version: number, changes: readonly ChangedRef[] | undefined): void {
    const listener = context.services.get(Listening).byRepo.get(repoId)
    if (listener) listener.#hear(version, changes)
  }
}

/** `refs/heads/a/b` → `refs/heads`, `refs/heads/a` */
function directoriesOf(name: string): string[] {
  const found: string[] = []
  for (let slash = name.indexOf('/', 'refs/'.length); slash > 0; slash = name.indexOf('/', slash + 1)) found.push(name.slice(0, slash))
  return found
}
