import type { ArchiveOptions } from '../archive/options.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { type BundleRef, writeBundle } from '../archive/write-bundle.ts'
import { readShortened } from '../browse/commit-details.ts'
import { checkpointOf } from '../checkpoint.ts'
import { type ImportedRepository, importRepository } from '../foreign/import-repository.ts'
import { CommitSource } from '../history/commit-source.ts'
import { ancestorSteps } from '../history/merge-base.ts'
import type { Oid } from '../objects/oid.ts'
import { PackFile } from '../packs/pack-file.ts'
import { PackFirst } from '../packs/pack-first.ts'
import type { PushedTip } from '../packs/receive/peel.ts'
import { type ReceivedPack, receivePack } from '../packs/receive/receive.ts'
import type { RunShards } from '../packs/receive/resolve.ts'
import { copyMissing } from '../packs/write/copy-missing.ts'
import type { WholeTrailer } from '../packs/write/write-pack.ts'
import { advertise, type Listing } from '../protocol/advertise.ts'
import type { RefSnapshot, SnapshotRef } from '../protocol/context.ts'
import { uploadPackV2 } from '../protocol/upload-pack.ts'
import { uploadPackV0 } from '../protocol/upload-pack-v0.ts'
import { runSteps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { diffStreamTasks } from './diff-tasks.ts'
import { storedTips } from './make-tasks.ts'
import { OpenRepo } from './open-repos.ts'
import { inQuarantine } from './quarantine.ts'
import { decodeRefs, encodeAll, type RefChunk } from './ref-list.ts'
import type { TaskIo } from './task-io.ts'

export interface UploadInput {
  version: 0 | 1 | 2
  /** All refs, sorted. */
  chunks: readonly RefChunk[]
  head: string | undefined
  /** See `RefSnapshot`. */
  deleted?: readonly SnapshotRef[]
  quiet?: RegExp
  exact: boolean
  /** See `UploadContext`. */
  trailer?: WholeTrailer | undefined
  agent: string
}

export interface AdvertiseInput extends Pick<UploadInput, 'chunks' | 'head' | 'quiet'> {
  listing: Listing
}

export interface ReceiveInput {
  /** A directory of its own for the push; made here, removed here on failure, by the caller otherwise. */
  quarantine: string
  /** New values of refs, each once. */
  tips: readonly Oid[]
  /** Branches that are there already and are to move. */
  moved: readonly { name: string; old: Oid; new: Oid }[]
  /** Tips whose messages are wanted. */
  described?: readonly Oid[]
}

export interface ReceiveOutput {
  pack: ReceivedPack
  /** Names of updates whose new commit contains the old one. */
  fastForward: string[]
  /** What commits say that were to be described; others are left out. */
  messages: Record<Oid, string>
}

export interface BringInput {
  /** The directory of another repository of ours. */
  from: string
  /** Commits of that one. */
  tips: readonly Oid[]
  /** A directory of its own; made here when anything is new, removed here on failure, by the caller otherwise. */
  quarantine: string
}

export interface BroughtObjects {
  /** Undefined when nothing is new. */
  packPath: string | undefined
  tips: PushedTip[]
}

/** Where the task stands, for the pusher's terminal. */
export interface ReceiveNotice {
  phase: 'receiving' | 'resolving' | 'checking'
  done: number
  total: number
  bytes: number
}

const NOTICE_MS = 100
/** What was held for each object of so many is worth a collection of its own. */
const MANY_OBJECTS = 50_000

export const streamTasks = {
  ...diffStreamTasks,

  /** Answers what the store ends with as one pack, where it was sent so and that had to be found. */
  async upload(repo: OpenRepo, input: UploadInput, io: TaskIo): Promise<WholeTrailer | undefined> {
    repo.store.refresh()
    const refs = { ...(await snapshotOf(input)), deleted: input.deleted }
    // Whatever is listed can be asked for at once.
    const limits = { ...repo.limits, maxCommands: repo.limits.maxCommands + refs.refs.length }
    let made: WholeTrailer | undefined
    const context = {
      store: repo.store,
      graph: repo.graph(),
      refs,
      limits,
      exact: input.exact,
      trailer: input.trailer,
      onTrailer: (trailer: WholeTrailer) => void (made = trailer),
      agent: input.agent,
      signal: io.signal,
    }
    const sink = { write: (bytes: Uint8Array) => io.send(bytes), spare: () => io.spare() }
    const serve = input.version === 2 ? uploadPackV2 : uploadPackV0
    await serve(io.incoming, context, sink, { stateless: true })
    return made
  },

  /** See `advertise`. */
  async advertise(_repo: OpenRepo, input: AdvertiseInput, io: TaskIo): Promise<void> {
    await advertise(input.listing, await snapshotOf(input), { write: (bytes) => io.send(bytes) })
  },

  async receive(repo: OpenRepo, input: ReceiveInput, io: TaskIo): Promise<ReceiveOutput> {
    // What upkeep removed before the push held the repository must not be taken for stored.
    repo.store.refresh()
    const parents = new Map<Oid, readonly Oid[]>()
    return inQuarantine(input.quarantine, async () => {
      const pack = await receivePack(io.incoming, {
        directory: input.quarantine,
        store: repo.store,
        limits: repo.limits,
        tips: input.tips,
        onTip: (oid, links) => void parents.set(oid, links.parents),
        onProgress: throttled(io),
        signal: io.signal,
        resolveShards: shardsOf(io),
        withMemory: (bytes, work) => io.withMemory(bytes, work),
      })
      const survey = await surveyPack(repo, input, pack, parents, io.signal)
      // What follows needs the memory, and may come after a while in which nothing collects it.
      if (pack.objects > MANY_OBJECTS) Bun.gc(true)
      return { pack, ...survey }
    })
  },

  /** See `copyMissing`. */
  async bring(repo: OpenRepo, { from, tips, quarantine }: BringInput, io: TaskIo): Promise<BroughtObjects> {
    const { store, limits } = repo
    store.refresh()
    if (tips.every((tip) => store.has(tip))) return { packPath: undefined, tips: await storedTips(store, tips) }
    const source = new OpenRepo({ path: from, limits })
    const options = { directory: quarantine, store, limits, tips, resolveShards: shardsOf(io), checkpoint: checkpointOf(io.signal) }
    try {
      const pack = await inQuarantine(quarantine, () => copyMissing(source.store, source.commits(), options))
      return { packPath: pack.packPath, tips: pack.tips }
    } finally {
      source.close()
    }
  },

  /** Takes over the repository that somebody put at `source`; what comes of it is left in the directory of `repo`. See `importRepository`. */
  async importRepository(repo: OpenRepo, { source }: { source: string }, io: TaskIo): Promise<Omit<ImportedRepository, 'refs'> & { refs: RefChunk[] }> {
    const { path: directory, limits } = repo
    const { refs, ...rest } = await importRepository(source, { directory, limits, signal: io.signal, resolveShards: shardsOf(io) })
    return { ...rest, refs: encodeAll(Array.from(refs, ([name, oid]) => ({ name, oid }))) }
  },

  /** See `writeArchive`. */
  async archive(repo: OpenRepo, { oid, options }: { oid: Oid; options: ArchiveOptions; isPaced?: boolean }, io: TaskIo): Promise<void> {
    const context = { limits: repo.limits, checkpoint: checkpointOf(io.signal) }
    await writeArchive(repo.store, oid, options, context, { write: (bytes) => io.send(bytes), end: () => {} })
  },

  /** See `writeBundle`. */
  async bundle(repo: OpenRepo, { refs }: { refs: readonly BundleRef[] }, io: TaskIo): Promise<void> {
    repo.store.refresh()
    const context = { limits: repo.limits, checkpoint: checkpointOf(io.signal) }
    await writeBundle(repo.store, repo.commits(), refs, context, { write: (bytes) => io.send(bytes) })
  },
}

export type StreamName = keyof typeof streamTasks
export type StreamInput<K extends StreamName> = Parameters<(typeof streamTasks)[K]>[1]
export type StreamOutput<K extends StreamName> = Awaited<ReturnType<(typeof streamTasks)[K]>>

async function snapshotOf({ head, chunks, quiet }: Pick<UploadInput, 'chunks' | 'head' | 'quiet'>): Promise<RefSnapshot> {
  return { head: head === undefined ? undefined : { target: head }, refs: await decodeRefs(chunks), quiet }
}

/** Spreads the deltas of a pack over other threads. */
function shardsOf(io: TaskIo): RunShards {
  return (inputs) => io.fork('resolveShard', inputs) as ReturnType<RunShards>
}

/** Whoever waits for long hears now and then, and of the end of each phase; a push that is over at once has nothing to tell. */
function throttled(io: TaskIo): (notice: ReceiveNotice) => void {
  let last = performance.now()
  let isLong = false
  return (notice) => {
    const now = performance.now()
    if (now - last < NOTICE_MS && !(isLong && notice.done >= notice.total)) return
    isLong = true
    last = now
    io.notify(notice)
  }
}

/**
 * Answered with the quarantined objects in sight, before anybody else sees them. Most pushes put commits right upon what a branch has:
 * where `parents` of the new commits say so already, the pack is not opened again.
 */
async function surveyPack(
  repo: OpenRepo,
  { moved, described = [] }: ReceiveInput,
  { packPath }: ReceivedPack,
  parents: ReadonlyMap<Oid, readonly Oid[]>,
  signal: AbortSignal,
): Promise<Omit<ReceiveOutput, 'pack'>> {
  const isStored = moved.filter((update) => repo.store.has(update.old))
  const isNext = (update: { old: Oid; new: Oid }) => parents.get(update.new)?.includes(update.old) === true
  if (described.length === 0 && isStored.every(isNext)) return { fastForward: isStored.map(({ name }) => name), messages: {} }
  const pack = PackFile.open(packPath, { limits: repo.limits })
  try {
    const store = new PackFirst(pack, repo.store)
    const source = new CommitSource(store, repo.graph())
    const fastForward: string[] = []
    for (const update of isStored) {
      if (isNext(update) || (await runSteps(ancestorSteps(source, update.old, update.new), signal))) fastForward.push(update.name)
    }
    return { fastForward, messages: messagesOf(store, described) }
  } finally {
    pack.close()
  }
}

function messagesOf(store: ObjectReader, oids: readonly Oid[]): Record<Oid, string> {
  const commits = oids.filter((oid) => store.findHeader(oid)?.type === 'commit')
  return Object.fromEntries(commits.map((oid) => [oid, readShortened(store, oid, commits.length).message]))
}
