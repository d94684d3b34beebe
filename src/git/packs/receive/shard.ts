import { breathe, isDue } from '#kernel/breathe.ts'
import type { GitErrorKind } from '../../errors.ts'
import { GitError } from '../../errors.ts'
import type { GitLimits } from '../../limits.ts'
import type { ObjectFormat } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import type { RunRecorder } from '../delta-into.ts'
import { TREE, typeName } from '../entry.ts'
import type { BaseFrame } from './base-stack.ts'
import type { DeltaVisitor, PieceReceiver } from './delta-walk.ts'
import { DeltaWalk } from './delta-walk.ts'
import type { EntryColumns } from './entry-table.ts'
import type { Forest } from './forest.ts'
import { adoptGroup } from './forest.ts'
import type { LinkColumns } from './link-table.ts'
import { ObjectChecker } from './object-checker.ts'
import { PackReader } from './pack-reader.ts'
import type { TagColumns } from './tag-targets.ts'

/** Work on deltas that several threads share: shared memory and the pack's path, nothing else. */
export interface ShardInput {
  packPath: string
  /** Entries of the pack. */
  count: number
  columns: EntryColumns
  forest: Forest
  /** Shared counters, by the indices below. */
  control: Int32Array
  limits: GitLimits
  /** Bytes that this thread's bases may take. */
  cacheBytes: number
}

type OnStep = (walk: DeltaWalk) => void | Promise<void>

/** What a shard has found out besides what it wrote to shared memory. */
export interface ShardOutput {
  links: LinkColumns
  tags: TagColumns
  error?: { kind: GitErrorKind; message: string }
}

/**
 * Places in `ShardInput.control`: the next root to take, shards that have begun, whether to stop, deltas made, whether shards should rest, and how many of
 * them have memory.
 */
export const NEXT_ROOT = 0
export const BEGUN = 1
export const STOPPED = 2
export const MADE = 3
export const RESTS = 4
export const AT_WORK = 5
export const CONTROL_LENGTH = 6

const STEP = 32
/** How often one who rests, or waits for that, looks whether it is over. */
export const LOOK_MS = 10

/** Takes delta families and resolves them until there are none left. Runs on any thread. SHA-1 packs only. */
export async function resolveShard(input: ShardInput): Promise<ShardOutput> {
  const checker = new ObjectChecker(SHA1, input.limits, input.count)
  // Before a root is taken: the thread that finds no more roots to take waits for those shards alone that have begun.
  Atomics.add(input.control, BEGUN, 1)
  Atomics.add(input.control, AT_WORK, 1)
  const error = await attempt(() => resolveFamilies(input, SHA1, checker, (walk) => restIfTold(walk, input.control))).finally(() =>
    Atomics.sub(input.control, AT_WORK, 1),
  )
  const output = { links: checker.links.columns, tags: checker.tags.columns }
  return error === undefined ? output : { ...output, error: { kind: error.kind, message: error.message } }
}

/** Lets the pack's memory go for as long as it is somebody else's turn with it. */
async function restIfTold(walk: DeltaWalk, control: Int32Array): Promise<void> {
  if (!walk.canRest) return
  for (let isFirst = true; Atomics.load(control, RESTS) !== 0 && Atomics.load(control, STOPPED) === 0; isFirst = false) {
    if (isFirst) walk.rest()
    Atomics.sub(control, AT_WORK, 1)
    await Bun.sleep(LOOK_MS)
    Atomics.add(control, AT_WORK, 1)
  }
}

/** Resolves families until there are none left to take; `onStep` is called every few milliseconds, and before a family when shards should rest. */
export async function resolveFamilies(input: ShardInput, format: ObjectFormat, checker: ObjectChecker | undefined, onStep: OnStep): Promise<void> {
  const { columns, count, forest, limits, cacheBytes, control } = input
  if (forest.roots.length === 0) return
  const reader = new PackReader(input.packPath)
  try {
    const walk = new DeltaWalk({ columns, count, forest, reader, limits, cacheBytes }, new Resolver(columns, forest, format, checker))
    while (Atomics.load(control, STOPPED) === 0) {
      const turn = Atomics.add(control, NEXT_ROOT, 1)
      if (turn >= forest.roots.length) return
      if (Atomics.load(control, RESTS) !== 0) await onStep(walk)
      await resolveFamily(walk, forest.roots[turn] as number, control, onStep)
    }
  } catch (error) {
    Atomics.store(input.control, STOPPED, 1)
    throw error
  } finally {
    reader.close()
  }
}

/** Makes all deltas of one family. */
export async function resolveFamily(walk: DeltaWalk, root: number, control: Int32Array, onStep: OnStep): Promise<void> {
  walk.begin(root)
  while (!walk.isDone) {
    Atomics.add(control, MADE, walk.step(STEP))
    if (!isDue() && !walk.hasEndedLarge) continue
    await onStep(walk)
    await breathe()
    if (Atomics.load(control, STOPPED) !== 0) return
  }
}

/**
 * Names what a walk makes, checks it when given a checker, and lets REF_DELTAs find their bases among it. Of the families' roots,
 * which have their names already, only trees are left to check.
 */
export class Resolver implements DeltaVisitor {
  readonly #columns: EntryColumns
  readonly #forest: Forest
  readonly #format: ObjectFormat
  readonly #checker: ObjectChecker | undefined

  constructor(columns: EntryColumns, forest: Forest, format: ObjectFormat, checker: ObjectChecker | undefined) {
    this.#columns = columns
    this.#forest = forest
    this.#format = format
    this.#checker = checker
  }

  wants(): boolean {
    return true
  }

  visit(entry: number, type: number, made: BaseFrame, base: BaseFrame | undefined, runs: RunRecorder): void {
    if (base === undefined) {
      if (type === TREE) this.#checker?.checkRootTree(this.#columns, entry, made)
      return
    }
    const { oids, rawLength } = this.#columns
    const data = made.bytes.subarray(made.start, made.start + made.length)
    this.#format.hashInto(typeName(type), data, oids, entry * rawLength)
    this.#columns.types[entry] = type
    this.#checker?.checkMade(this.#columns, entry, type, made, base, runs)
    this.#adopt(entry)
  }

  receive(entry: number, type: number, size: number): PieceReceiver {
    const hasher = this.#format.hasher().update(`${typeName(type)} ${size}\0`)
    return {
      add: (bytes) => void hasher.update(bytes),
      end: () => {
        this.#columns.oids.set(hasher.digest(), entry * this.#columns.rawLength)
        this.#columns.types[entry] = type
        this.#adopt(entry)
      },
    }
  }

  #adopt(entry: number): void {
    adoptGroup(this.#columns, this.#forest.groups, this.#forest.firstChild, this.#forest.nextSibling, entry)
  }
}

async function attempt(work: () => Promise<void>): Promise<GitError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof GitError) return error
    throw error
  }
}
