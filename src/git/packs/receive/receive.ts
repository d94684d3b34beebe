import type { GitLimits } from '../../limits.ts'
import { checkGitattributes, refuseLargeAttributes } from '../../objects/check-gitattributes.ts'
import { checkGitmodules } from '../../objects/check-gitmodules.ts'
import type { CommitLinks } from '../../objects/commit.ts'
import type { Oid } from '../../objects/oid.ts'
import type { ObjectReader } from '../../store/types.ts'
import { COMMIT, TAG } from '../entry.ts'
import { refuseCollisions } from './collisions.ts'
import type { Connection } from './connect.ts'
import { connect } from './connect.ts'
import { NONE, oidOf } from './entry-table.ts'
import type { Forest } from './forest.ts'
import { plantForest } from './forest.ts'
import { Landing } from './landing.ts'
import { IS_TIP } from './link-table.ts'
import { ALL_MEMORY, memoryFor } from './memory-for.ts'
import { endless, HeldTurn, type MemoryTurn } from './memory-turn.ts'
import { ObjectChecker } from './object-checker.ts'
import type { PushedTip } from './peel.ts'
import { peelTips } from './peel.ts'
import { nameObject, refusal, refusedFor } from './refusal.ts'
import type { PackLinks, RunShards } from './resolve.ts'
import { resolveDeltas } from './resolve.ts'
import { revisit } from './revisit.ts'
import type { ScannedPack } from './scan.ts'
import { scanPack } from './scan.ts'
import { completeThin, sealPack } from './thin.ts'
import { addTipTimes, type TipTimesInput } from './tip-times.ts'
import { indexChunks, sortByOid } from './write-index.ts'

export interface ReceiveProgress {
  phase: 'receiving' | 'resolving' | 'checking'
  /** Entries, or deltas while resolving. */
  done: number
  total: number
  /** Bytes received. */
  bytes: number
}

export interface ReceivePackOptions {
  /** Quarantine: an existing empty directory. The pack and its index are left there, their content durable; `publishPacks` makes their names so. */
  directory: string
  /** What the repository already has. It must hold what its objects link to. */
  store: ObjectReader
  limits: GitLimits
  /** The pack is written from the store's own objects: by their names they are the same. */
  isCopy?: boolean
  /** Its objects were checked when they came, and what they link to is where it was: they are named, and nothing else. */
  isChecked?: boolean | undefined
  /** New values of the pushed refs. */
  tips: readonly Oid[]
  /** Hears of each of these that is a commit of the pack. */
  onTip?: (oid: Oid, links: CommitLinks) => void
  onProgress?: (progress: ReceiveProgress) => void
  /** Aborted when nobody waits for the pack any more: the work on its deltas ends soon then. */
  signal?: AbortSignal
  /** Runs part of the work on other threads; without it all is done on this one. */
  resolveShards?: RunShards
  /** Does `work`, which takes so much memory for delta bases, once the process has as much left for that; never nested. */
  withMemory?: <T>(bytes: number, work: (turn?: MemoryTurn) => Promise<T>) => Promise<T>
}

export interface ReceivedPack {
  /** The pack's checksum: its files are `pack-<name>.pack` and `.idx`. */
  name: string
  packPath: string
  idxPath: string
  /** Entries of the pack as it lies there, bases added to a thin pack included. */
  objects: number
  deltas: number
  /** Length of the pack as it lies there. */
  bytes: number
  tips: PushedTip[]
  /** Every object sent is linked from another object of the pack or is a tip: nothing unreachable came along. */
  closed: boolean
}

/**
 * Takes in a pushed pack: stores and indexes it in `options.directory`, with every object named and checked and all that it links to
 * in reach. The source must end where the pack does.
 * @throws GitError "Cannot accept pack: …" when it must not be stored; nothing is left in the directory then
 */
export async function receivePack(source: AsyncIterable<Uint8Array>, options: ReceivePackOptions): Promise<ReceivedPack> {
  const landing = new Landing(options.directory)
  try {
    return await new Reception(landing, options).run(source)
  } catch (error) {
    await landing.discard()
    throw refusedFor(error)
  }
}

class Reception {
  readonly #landing: Landing
  readonly #options: ReceivePackOptions
  readonly #checker: ObjectChecker | undefined
  #bytes = 0
  #need = 0
  readonly #turn: HeldTurn

  constructor(landing: Landing, options: ReceivePackOptions) {
    this.#landing = landing
    this.#options = options
    const { store, limits, isChecked, signal } = options
    this.#turn = new HeldTurn(signal)
    this.#checker = isChecked ? undefined : new ObjectChecker(store.format, limits)
  }

  async run(source: AsyncIterable<Uint8Array>): Promise<ReceivedPack> {
    const scanned = await this.#scan(source)
    const sent = scanned.table.count
    await this.#landing.append(scanned.checksum)
    await this.#landing.syncEarly()
    const forest = plantForest(scanned.table, scanned.refBases)
    this.#need = await memoryFor({ ...this.#options, table: scanned.table, forest })
    const finish = () => this.#resolveAndFinish(scanned, sent, forest)
    return this.#need === ALL_MEMORY ? this.#withMemory(ALL_MEMORY, finish) : finish()
  }

  /** Whoever has all memory already has enough; nobody else asks while they have some. */
  async #withMemory<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const { withMemory } = this.#options
    if (this.#turn.held || bytes === 0 || !withMemory) return work()
    return withMemory(bytes, async (turn = endless) => {
      this.#turn.held = turn
      try {
        return await work()
      } finally {
        this.#turn.held = undefined
        // What the next one is granted must not still be taken.
        if (bytes === ALL_MEMORY) Bun.gc(true)
      }
    })
  }

  async #resolveAndFinish(scanned: ScannedPack, sent: number, forest: Forest): Promise<ReceivedPack> {
    const links = await this.#withMemory(this.#need, () => this.#resolve(scanned, forest))
    refuseSwollenTexts(scanned, sent, this.#options.limits)
    const sealed = scanned.table.count === sent ? scanned : await sealPack(this.#landing.fd, scanned.table, this.#options.store.format)
    return this.#finish({ ...scanned, ...sealed }, sent, forest, links)
  }

  #scan(source: AsyncIterable<Uint8Array>): Promise<ScannedPack> {
    const { limits, store } = this.#options
    return scanPack(source, {
      format: store.format,
      limits,
      sink: (bytes) => this.#landing.append(bytes),
      onObject: (columns, entry, type, data) => {
        this.#checker?.setArrived(entry, false)
        this.#checker?.checkText(columns, entry, type, data, 0, data.length)
      },
      onEntry: (done, total, bytes) => {
        this.#bytes = bytes
        this.#report('receiving', done, total)
      },
    })
  }

  async #resolve(scanned: ScannedPack, forest: Forest): Promise<PackLinks> {
    const { table, deltas } = scanned
    const { limits, store, resolveShards } = this.#options
    this.#checker?.setArrived(table.count, true)
    const common = { packPath: this.#landing.packPath, table, forest, limits, checker: this.#checker, turn: this.#turn }
    const onProgress = (done: number): void => this.#report('resolving', done, deltas)
    const links = await resolveDeltas({ ...common, format: store.format, runShards: resolveShards, onProgress }, deltas)
    await completeThin({ ...common, fd: this.#landing.fd, store, onProgress })
    return links
  }

  async #finish(pack: ScannedPack, sent: number, forest: Forest, links: PackLinks): Promise<ReceivedPack> {
    const { store, tips } = this.#options
    const { table, checksum, deltas, bytes } = pack
    const { columns, count } = table
    this.#report('checking', 0, count)
    const order = sortByOid(columns, count)
    for (const tip of tips) this.#checker?.links.addOid(tip, IS_TIP)
    const connection = await connect({ columns, sent, count, tables: links.links, store })
    await refuseCollisions(this.#revisitInput(pack, forest), {
      sent: this.#options.isCopy ? 0 : sent,
      order,
      store,
      withSome: (work) => this.#withMemory(this.#need, work),
      withAll: (work) => this.#withMemory(ALL_MEMORY, work),
    })
    const needFor = (entries: readonly number[]) => (entries.some((entry) => columns.bases[entry] !== NONE) ? this.#need : 0)
    const readByGit = [...connection.modules, ...connection.attributes]
    await this.#withMemory(needFor(readByGit), () => this.#checkReadByGit(pack, forest, connection))
    const readEntries: TipTimesInput['readEntries'] = (entries, onObject) =>
      this.#withMemory(needFor(entries), () => revisit(this.#revisitInput(pack, forest), entries, (entry, _type, data) => onObject(entry, data)))
    const pushed = await addTipTimes(
      { columns, order, store, readEntries, onCommit: this.#options.onTip },
      peelTips({ columns, order, tags: links.tags, store }, tips),
    )
    const name = Buffer.from(checksum).toString('hex')
    await this.#landing.finish(name, indexChunks(columns, order, checksum, store.format))
    this.#report('checking', count, count)
    return { name, packPath: this.#landing.packPath, idxPath: this.#landing.idxPath, objects: count, deltas, bytes, tips: pushed, closed: connection.closed }
  }

  #revisitInput(pack: ScannedPack, forest: Forest): Parameters<typeof revisit>[0] {
    return { packPath: this.#landing.packPath, columns: pack.table.columns, count: pack.table.count, forest, limits: this.#options.limits, turn: this.#turn }
  }

  /** Whether a blob is a file that git reads shows only once all trees are known. */
  async #checkReadByGit(pack: ScannedPack, forest: Forest, found: Connection): Promise<void> {
    const { store } = this.#options
    const input = this.#revisitInput(pack, forest)
    const { columns } = pack.table
    await revisit(input, found.modules, (entry, _type, data) => named(oidOf(columns, entry), () => checkGitmodules(data)))
    for (const oid of found.storedModules) named(oid, () => checkGitmodules(store.get(oid, 'blob').data))
    const ignored = new Set(this.#options.limits.ignoredFaults)
    for (const entry of found.attributes) named(oidOf(columns, entry), () => refuseLargeAttributes(columns.sizes[entry] as number, ignored))
    await revisit(input, found.attributes, (entry, _type, data) => named(oidOf(columns, entry), () => checkGitattributes(data, ignored)))
    for (const oid of found.storedAttributes) named(oid, () => checkGitattributes(store.get(oid, 'blob').data, ignored))
  }

  #report(phase: ReceiveProgress['phase'], done: number, total: number): void {
    this.#options.onProgress?.({ phase, done, total, bytes: this.#bytes })
  }
}

/** What walking a history costs depends on what was sent of it. @throws GitError `limit` when commits and tags come to too much */
function refuseSwollenTexts({ table, bytes }: ScannedPack, sent: number, { maxCommitBytes, maxCommitExpansion }: GitLimits): void {
  const { types, sizes } = table.columns
  let inflated = 0
  for (let entry = 0; entry < sent; entry++) if (types[entry] === COMMIT || types[entry] === TAG) inflated += sizes[entry] as number
  if (inflated > maxCommitBytes + maxCommitExpansion * bytes)
    throw refusal('limit', `its commits and tags are more than ${maxCommitExpansion} times as large as itself`)
}

/** Does `check`, and names the blob that it refuses. */
function named(oid: Oid, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw refusedFor(error, nameObject('blob', oid))
  }
}
