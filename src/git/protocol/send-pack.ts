import { breathe, isDue } from '#kernel/breathe.ts'
import { SHA1 } from '../objects/oid.ts'
import type { PackFile } from '../packs/pack-file.ts'
import type { Selection } from '../packs/select/enumerate.ts'
import { enumerateObjects } from '../packs/select/enumerate.ts'
import { findDisjointPacks, selectAllButBlobs, selectEverything } from '../packs/select/everything.ts'
import { peelTo } from '../packs/select/tag-chain.ts'
import { trailerOf, writePack, writeWholePacks } from '../packs/write/write-pack.ts'
import type { ByteSink } from './context.ts'
import { coversAll } from './coverage.ts'
import type { PackOrder } from './pack-order.ts'
import { ReportedError, textFor } from './report-errors.ts'
import type { FetchSession } from './session.ts'
import type { Framing } from './sideband.ts'
import { SidebandOutput } from './sideband.ts'

const PROGRESS_MS = 250
const KEEP_ALIVE_MS = 5000

/**
 * Makes the pack and sends it, with progress lines unless the client asked for silence.
 * @throws ReportedError around whatever went wrong: the client has read of it on the error band, where it has one
 */
export async function sendPack(session: FetchSession, order: PackOrder, framing: Framing, sink: ByteSink): Promise<void> {
  // What lies in a pack that cannot be read is missing from all that there is: a walk comes upon it.
  const all = session.space.store.faults.length === 0 && (await coversAll(session, order))
  const whole = all && order.request.filter === undefined ? await findDisjointPacks(session.space, session.checkpoint) : undefined
  const trailer = whole && trailerOf(whole, session.context.trailer)
  const out = new SidebandOutput(sink, framing, whole?.length === 1 || trailer ? undefined : SHA1.hasher())
  const sending = new PackSending(session, order, out)
  try {
    if (whole) await sending.sendWhole(whole, trailer)
    else await sending.sendChosen(all ? await sending.chooseAll() : await sending.choose())
  } catch (error) {
    if (session.context.signal?.aborted) throw error
    out.error(`${textFor(error)}\n`)
    await out.flush()
    throw new ReportedError('Cannot send pack', { cause: error })
  }
}

class PackSending {
  readonly #session: FetchSession
  readonly #order: PackOrder
  readonly #out: SidebandOutput
  #lastWord = performance.now()
  #found = 0

  constructor(session: FetchSession, order: PackOrder, out: SidebandOutput) {
    this.#session = session
    this.#order = order
    this.#out = out
  }

  async sendWhole(packs: readonly PackFile[], trailer?: Uint8Array): Promise<void> {
    const count = packs.reduce((sum, pack) => sum + pack.index.count, 0)
    this.#say(`Enumerating objects: ${count}, done.\n`)
    this.#say(`Total ${count}, sent as stored\n`)
    const made = await writeWholePacks(packs, this.#out, this.#session.checkpoint, trailer)
    if (made) this.#session.context.onTrailer?.(made)
  }

  /** What an order comes to that wants everything: with a filter, all but the blobs that nobody named. */
  async chooseAll(): Promise<Selection> {
    const { space, checkpoint } = this.#session
    if (this.#order.request.filter === undefined) return selectEverything(space, checkpoint)
    const selection = await selectAllButBlobs(space, checkpoint)
    for (const oid of this.#order.wants) selection.add(peelTo(space, oid, selection.add).number)
    return selection
  }

  /** Finds what the order comes to, with progress lines meanwhile. */
  async choose(): Promise<Selection> {
    const { wants, haves, cuts, request } = this.#order
    const selection = await enumerateObjects(this.#session.space, this.#session.source, {
      wants,
      haves,
      cuts,
      filter: request.filter,
      limits: this.#session.context.limits,
      usesBitmaps: true,
      checkpoint: () => (isDue() ? this.#wait() : undefined),
      onProgress: (count) => (this.#found = count),
    })
    if (request.includeTag) this.#addTags(selection)
    return selection
  }

  async sendChosen(selection: Selection): Promise<void> {
    const { request } = this.#order
    this.#say(`Enumerating objects: ${selection.numbers.length}, done.\n`)
    const outcome = await writePack(
      selection,
      { ofsDelta: request.ofsDelta, mayStandOn: (number) => this.#mayStandOn(selection, number), checkpoint: this.#session.checkpoint },
      this.#out,
    )
    this.#say(`Total ${outcome.objects}, ${outcome.copied} sent as stored\n`)
    await this.#out.flush()
  }

  /** Annotated tags of what is being sent. */
  #addTags(selection: Selection): void {
    const { space } = this.#session
    for (const ref of this.#session.context.refs.refs) {
      if (ref.peeled === undefined || !ref.name.startsWith('refs/tags/')) continue
      const target = space.findOid(ref.peeled)
      if (target >= 0 && selection.has(target)) peelTo(space, ref.oid, selection.add)
    }
  }

  /** A partial clone may lack blobs, or trees, of commits that it has. */
  #mayStandOn(selection: Selection, number: number): boolean {
    const { request } = this.#order
    if (!request.thinPack || !selection.isKnown(number)) return false
    if (request.filter === undefined) return true
    return request.filter.treeDepth === Infinity && this.#session.space.header(number).type !== 'blob'
  }

  #say(text: string): void {
    if (!this.#order.request.noProgress) this.#out.progress(text)
  }

  /** Gives way to others, and keeps the client, or a proxy between, from thinking that nobody is there. */
  async #wait(): Promise<void> {
    this.#session.context.signal?.throwIfAborted()
    const silence = performance.now() - this.#lastWord
    if (silence > (this.#order.request.noProgress ? KEEP_ALIVE_MS : PROGRESS_MS)) {
      if (this.#order.request.noProgress) this.#out.keepAlive()
      else this.#out.progress(`Enumerating objects: ${this.#found}\r`)
      this.#lastWord = performance.now()
      await this.#out.flush()
    }
    await breathe()
  }
}
