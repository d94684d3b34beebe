import { basename } from 'node:path'
import type { Checkpoint } from '../../checkpoint.ts'
import { CollectedBudget } from '../../store/budget.ts'
import type { GitObject, ObjectHeader } from '../../store/types.ts'
import { deflatedPieces, deflateWhole } from '../deflate.ts'
import { encodeEntryHeader, MAX_ENTRY_HEADER, typeCode } from '../entry.ts'
import type { PackFile } from '../pack-file.ts'
import type { Selection } from '../select/enumerate.ts'
import type { CopyRules } from './copy-plan.ts'
import { CopyPlan } from './copy-plan.ts'
import { makeDelta } from './make-delta.ts'
import type { PackOutput } from './pack-output.ts'

/** Source: `Documentation/gitformat-pack.txt`. */
const HEADER_BYTES = 12
/** Larger objects are inflated and deflated piece by piece. */
const LARGE_BYTES = 4 * 1024 * 1024
/** zlib's own choice, which is git's, too. */
const LEVEL = -1
/** Between larger ones no delta is looked for: that holds the thread. */
const MAX_DELTA_BYTES = 1024 * 1024
/** A delta that is longer than this part of what it makes is not worth the longer chain; and shorter objects are worth none. */
const MOST_OF_TARGET = 1 / 2
const LEAST_TARGET = 64

export interface WritePackOptions extends CopyRules {
  checkpoint: Checkpoint
}

export interface WritePackOutcome {
  objects: number
  /** How many of them went out as they lay. */
  copied: number
}

/**
 * Writes the chosen objects as one pack, its trailer included. Entries are copied compressed as they lie, deltas too
 * where their base comes along. What stands on an object that stays behind is inflated, and becomes a delta on another of its family that comes along.
 * @throws GitError `corrupt` or `missing` when the store cannot give what it lists
 */
export async function writePack(selection: Selection, options: WritePackOptions, out: PackOutput): Promise<WritePackOutcome> {
  out.write(packHeader(selection.numbers.length))
  const writer = new PackWriter(selection, options, out)
  for (let pack = 0; pack < selection.space.packs.length; pack++) await writer.copyFrom(pack)
  await writer.writeOthers()
  out.trailer()
  await out.flush()
  return { objects: selection.numbers.length, copied: writer.copied }
}

/** What ends the pack that some packs are one after another, and which their files were when they were hashed for somebody: that takes as long as sending them. */
export interface WholeTrailer {
  files: readonly string[]
  bytes: Uint8Array
}

/** The trailer of those packs, if `known` is that. */
export function trailerOf(packs: readonly PackFile[], known: WholeTrailer | undefined): Uint8Array | undefined {
  const isOfThese = known?.files.length === packs.length && filesOf(packs).every((file, i) => file === known.files[i])
  return isOfThese ? known.bytes : undefined
}

function filesOf(packs: readonly PackFile[]): string[] {
  return packs.map((pack) => `${basename(pack.path)} ${pack.identity()}`)
}

/**
 * Writes whole packs one after another as one pack. They must have no object in common.
 * A single one goes out byte for byte, trailer included; `out` needs no hasher then, nor where `trailer` is known.
 * @returns the trailer, where it had to be found
 */
export async function writeWholePacks(
  packs: readonly PackFile[],
  out: PackOutput,
  checkpoint: Checkpoint,
  trailer?: Uint8Array,
): Promise<WholeTrailer | undefined> {
  const [first] = packs as [PackFile]
  let made: WholeTrailer | undefined
  if (packs.length === 1) {
    await copyRange(first, 0, first.size, out, checkpoint)
  } else {
    const files = filesOf(packs)
    out.write(packHeader(packs.reduce((sum, pack) => sum + pack.index.count, 0)))
    for (const pack of packs) await copyRange(pack, HEADER_BYTES, pack.dataEnd, out, checkpoint)
    if (trailer) out.write(trailer)
    else made = { files, bytes: out.trailer() }
  }
  await out.flush()
  return made
}

/** Source: `Documentation/gitformat-pack.txt`. */
export function packHeader(objects: number): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PACK', 'latin1')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(objects, 8)
  return header
}

/** Reads straight into the packets that go out. */
async function copyRange(pack: PackFile, from: number, to: number, out: PackOutput, checkpoint: Checkpoint): Promise<void> {
  while (from < to) {
    const space = out.space()
    const length = Math.min(space.length, to - from)
    pack.readAt(from, length, space)
    out.advance(length)
    from += length
    if (out.isFull) await out.drain()
    const wait = checkpoint()
    if (wait) await wait
  }
}

class PackWriter {
  /** Entries that went out as they lay. */
  copied = 0
  readonly #selection: Selection
  readonly #options: WritePackOptions
  readonly #out: PackOutput
  /** Of all that is inflated, nothing is kept. */
  readonly #budget = new CollectedBudget()

  constructor(selection: Selection, options: WritePackOptions, out: PackOutput) {
    this.#selection = selection
    this.#options = options
    this.#out = out
  }

  /** Writes what is chosen of one source pack in the order it lies there, so that bases come before their deltas. Unchanged neighbours are copied in one go. */
  async copyFrom(pack: number): Promise<void> {
    if (this.#options.ofsDelta && this.#isWhole(pack)) return this.#copyWhole(this.#selection.space.packs[pack] as PackFile)
    const plan = new CopyPlan(this.#selection, pack, this.#options)
    const run = { from: 0, to: 0 }
    const endRun = (from: number): Promise<void> => {
      const { from: start, to } = run
      run.from = from
      return copyRange(this.#selection.space.packs[pack] as PackFile, start, to, this.#out, this.#options.checkpoint)
    }
    for (let i = 0; i < plan.count; i++) {
      const mode = plan.mode(i, this.#out.offset + run.to - run.from)
      if (mode === 'remake') {
        await endRun(plan.end(i))
        await this.#remake(plan, i)
      } else if (mode === 'rebase') {
        await endRun(plan.dataAt)
        this.#out.write(plan.header)
      } else if (plan.offset(i) !== run.to) {
        await endRun(plan.offset(i))
      }
      if (mode !== 'remake') this.copied++
      run.to = plan.end(i)
      const wait = this.#options.checkpoint()
      if (wait) await wait
    }
    await endRun(0)
  }

  /** Whether all that lies in a pack is chosen there, and not in a larger one: nothing of it needs to be looked at then. */
  #isWhole(pack: number): boolean {
    const { space } = this.#selection
    for (let number = space.base(pack); number < space.base(pack + 1); number++) if (!this.#selection.has(number)) return false
    return true
  }

  async #copyWhole(pack: PackFile): Promise<void> {
    await copyRange(pack, HEADER_BYTES, pack.dataEnd, this.#out, this.#options.checkpoint)
    this.copied += pack.index.count
  }

  /** Writes what is chosen and lies in no pack. */
  async writeOthers(): Promise<void> {
    for (const number of this.#selection.numbers.view()) {
      if (number < this.#selection.space.packed) continue
      await this.#writeWhole(number)
      const wait = this.#options.checkpoint()
      if (wait) await wait
    }
  }

  /** Writes entry `i` as a delta on its relative, where it has one, or whole. */
  async #remake(plan: CopyPlan, i: number): Promise<void> {
    const number = plan.number(i)
    const object = this.#selection.space.readSmall(number, LARGE_BYTES, this.#budget)
    const delta = object && plan.relative >= 0 ? this.#deltaOn(plan.number(plan.relative), object) : undefined
    if (delta) {
      this.#out.write(plan.standOnRelative(i, delta.length))
      return this.#deflate(delta)
    }
    plan.standAlone(i)
    return object ? this.#writeObject(object) : this.#writeLarge(number)
  }

  #deltaOn(relative: number, { type, data }: GitObject): Uint8Array | undefined {
    if (data.length < LEAST_TARGET || data.length > MAX_DELTA_BYTES) return undefined
    const base = this.#selection.space.readSmall(relative, MAX_DELTA_BYTES, this.#budget)
    return base?.type === type && base.data.length > 0 ? makeDelta(base.data, data, data.length * MOST_OF_TARGET) : undefined
  }

  async #writeWhole(number: number): Promise<void> {
    const object = this.#selection.space.readSmall(number, LARGE_BYTES, this.#budget)
    return object ? this.#writeObject(object) : this.#writeLarge(number)
  }

  async #writeObject({ type, data }: GitObject): Promise<void> {
    this.#writeHeader({ type, size: data.length })
    return this.#deflate(data)
  }

  async #deflate(data: Uint8Array): Promise<void> {
    this.#out.write(deflateWhole(data))
    if (this.#out.isFull) await this.#out.drain()
  }

  async #writeLarge(number: number): Promise<void> {
    const { space } = this.#selection
    this.#writeHeader(space.header(number))
    for await (const bytes of deflatedPieces(space.pieces(number), LEVEL)) {
      this.#out.write(bytes)
      if (this.#out.isFull) await this.#out.drain()
      const wait = this.#options.checkpoint()
      if (wait) await wait
    }
  }

  #writeHeader({ type, size }: ObjectHeader): void {
    const header = new Uint8Array(MAX_ENTRY_HEADER)
    this.#out.write(header, 0, encodeEntryHeader(typeCode(type), size, header, 0))
  }
}
