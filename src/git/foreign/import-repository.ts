import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointOf } from '../checkpoint.ts'
import { GitError } from '../errors.ts'
import { CommitSource } from '../history/commit-source.ts'
import type { GitLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { indexPack } from '../packs/receive/index-pack.ts'
import type { ReceivedPack } from '../packs/receive/receive.ts'
import type { RunShards } from '../packs/receive/resolve.ts'
import { collectReachable, type Selection } from '../packs/select/enumerate.ts'
import { rewritePack } from '../packs/write/rewrite-pack.ts'
import { DiskStore } from '../store/disk.ts'
import { MemoryStore } from '../store/memory.ts'
import { ForeignDirectory } from './foreign-directory.ts'
import { type ForeignRefs, readForeignRefs } from './read-refs.ts'
import { surveyObjects } from './survey-objects.ts'

export interface ImportOptions {
  /** Of our own: the pack is left in it, and what the work needed besides. */
  directory: string
  limits: GitLimits
  signal?: AbortSignal
  resolveShards?: RunShards
}

export interface ImportedRepository extends ForeignRefs {
  /** All that the refs reach, checked as a push is; undefined when there are no refs. */
  pack: ReceivedPack | undefined
}

/**
 * Takes over what the refs of a bare repository reach that somebody else put on disk. Nothing in it is trusted or
 * changed: settings, hooks, grafts, replacements and alternates are not looked at, packs are indexed anew, and the
 * objects come in as a push would bring them.
 * @throws GitError when any of it is damaged, missing, refused or over a limit
 */
export async function importRepository(source: string, options: ImportOptions): Promise<ImportedRepository> {
  const { limits, signal } = options
  const checkpoint = checkpointOf(signal)
  const foreign = new ForeignDirectory(source)
  const found = await readForeignRefs(foreign, limits, checkpoint)
  const { packs, loose } = await surveyObjects(foreign, limits, checkpoint)
  if (found.refs.size === 0) {
    if (packs.length + loose > 0) throw new GitError('refused', 'it has objects, but no refs that point to them')
    return { ...found, pack: undefined }
  }
  try {
    const packIndexes = await indexPacks(source, packs, options)
    return { ...found, pack: await takeReachable(source, packIndexes, found, options) }
  } catch (error) {
    throw explained(error, foreign)
  }
}

/** Answers where the indexes lie. */
async function indexPacks(source: string, packs: string[], options: ImportOptions): Promise<string> {
  const directory = join(options.directory, 'indexes')
  mkdirSync(directory, { recursive: true })
  for (const name of packs) {
    await indexPack(join(source, 'objects/pack', name), join(directory, name.replace(/\.pack$/, '.idx')), options)
  }
  return directory
}

/** Writes what the refs reach as one pack and takes that in as a push's. */
async function takeReachable(source: string, packIndexes: string, found: ForeignRefs, options: ImportOptions): Promise<ReceivedPack> {
  const { limits, resolveShards } = options
  const tips = [...new Set(found.refs.values())]
  const checkpoint = checkpointOf(options.signal)
  const store = DiskStore.open(source, { limits, packIndexes })
  try {
    const reachable = await collectReachable(store, new CommitSource(store), tips, { limits, checkpoint })
    refuseLoss(reachable, found.detachedHead)
    const directory = join(options.directory, 'pack')
    mkdirSync(directory, { recursive: true })
    return await rewritePack(reachable, { directory, store: new MemoryStore(), limits, tips, resolveShards, checkpoint })
  } finally {
    store.close()
  }
}

/** HEAD stays detached nowhere here: work that it alone leads to would be lost. */
function refuseLoss(reachable: Selection, head: Oid | undefined): void {
  const number = head === undefined ? -1 : reachable.space.findOid(head)
  if (number >= 0 && !reachable.has(number))
    throw new GitError('refused', `HEAD is detached at ${head}, which no ref contains. Run \`git branch <name> HEAD\` to create a branch`)
}

/** Says where missing objects may be, and which file the system keeps from us. */
function explained(error: unknown, foreign: ForeignDirectory): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  if (code !== undefined && path?.startsWith(foreign.path))
    return new GitError('refused', `${path.slice(foreign.path.length + 1)} cannot be read: ${code}`, { cause: error })
  const advice = error instanceof GitError && error.kind === 'missing' ? adviceFor(foreign) : undefined
  return advice === undefined ? error : new GitError('missing', `${(error as GitError).message} (${advice})`, { cause: error })
}

function adviceFor(foreign: ForeignDirectory): string | undefined {
  if (foreign.kindOf('shallow') !== undefined) return 'it is a shallow clone. Run `git fetch --unshallow` to complete it'
  if (foreign.kindOf('objects/info/alternates') !== undefined) return 'it uses objects of another repository. Run `git repack -ad` to copy them'
  const isPartial = foreign.entries('objects/pack').some(({ name }) => name.endsWith('.promisor'))
  return isPartial ? 'it is a partial clone. Clone the repository again without --filter' : undefined
}
